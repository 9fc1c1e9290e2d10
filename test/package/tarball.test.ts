/** What `npm publish` would send: packed, installed by a user, run. */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { repository, scratchFolder } from "../tooling/scratch-folder.ts";
import { copyRepository, run, strangersEnvironment } from "./copied-repository.ts";

it("packs only the program, which installs without development tools and runs the demo [CORE-4]", async () => {
  const scratch = scratchFolder();
  const env = strangersEnvironment(join(scratch, "home"), [dirname(process.execPath)]);

  // Packed in a copy: packing cleans dist, which a daemon started from this checkout may be running from.
  const copy = join(scratch, "copy");
  copyRepository(copy);
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  const pack = await run("npm", ["pack", "--pack-destination", scratch], { cwd: copy, env });
  expect(pack.status, pack.output).toBe(0);
  const [tarball = "no tarball"] = globSync("sylk-*.tgz", { cwd: scratch });
  expect(topLevelEntries(join(scratch, tarball))).toEqual(expectedEntries(copy));

  const project = join(scratch, "project");
  mkdirSync(project);
  const install = await run("npm", ["install", join(scratch, tarball), "--omit=dev"], { cwd: project, env });
  expect(install.status, install.output).toBe(0);
  const demo = await run(join(project, "node_modules/.bin/sylk"), ["demo"], { cwd: project, env });
  expect(demo.output).toContain("What to try next");
  expect(demo.status).toBe(0);
  const version = await run(join(project, "node_modules/.bin/sylk"), ["--version"], { cwd: project, env });
  expect(version.lastLine).toBe(
    (JSON.parse(readFileSync(join(copy, "package.json"), "utf8")) as { version: string }).version,
  );
});

function topLevelEntries(tarball: string): string[] {
  const paths = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  return [...new Set(paths.map((path) => path.split("/")[1] ?? ""))].toSorted();
}

function expectedEntries(root: string): string[] {
  return ["LICENSE", "bin", "dist", "package.json", "samples", ...globSync("README.md", { cwd: root })].toSorted();
}
