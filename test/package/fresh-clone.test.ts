/** A stranger clones the repository and types the two commands of the README. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../tooling/scratch-folder.ts";
import { copyRepository, run, strangersEnvironment } from "./copied-repository.ts";

it("starts and tests from a fresh clone with an empty home and the machine's own Node [CORE-1, CORE-2]", async () => {
  const scratch = scratchFolder();
  const clone = join(scratch, "clone");
  copyRepository(clone);
  const terms = { cwd: clone, env: strangersEnvironment(join(scratch, "home")) };

  const start = await run("npm", ["start"], terms);
  expect(start.output).toMatch(/\[setup\] installing dependencies: done after \d+ s/);
  expect(start.output).toMatch(/\[setup\] installing Node [\d.]+ for this folder: done after \d+ s/);
  expect(start.output).toContain("What to try next");
  expect(start.status).toBe(0);

  const test = await run("npm", ["test", "--", "--suite", "unit", "src/platform/clock"], terms);
  expect(test.lastLine).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/);
  expect(test.status).toBe(0);
});
