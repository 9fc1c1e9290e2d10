import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { checkQuarantine } from "./check-quarantine.ts";

it("says that it does not know when git fails, and that there is nothing outside of a repository", () => {
  using folder = scratchFolder();
  const look = () => checkQuarantine({ cwd: folder.path, home: folder.path });
  expect(look().what).toBe("nothing is in quarantine");
  execFileSync("git", ["init", "--quiet", folder.path]);
  expect(look().what).toBe("nothing is in quarantine");
  writeFileSync(join(folder.path, ".git", "config"), "[broken");
  expect(look()).toMatchObject({ state: "warning", what: expect.stringContaining("is unknown: git failed: fatal") });
});
