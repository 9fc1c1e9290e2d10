/** The build replaces dist only by something complete, and only when there is a reason to. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { collectLicenses } from "../../scripts/build/collect-licenses.ts";
import { copyFromRepository, repository, scratchFolder, writeTree } from "./scratch-folder.ts";

it("bundles the entries with lazy chunks, shipped files and the licences of what went in", () => {
  const root = project();
  expect(build(root).status).toBe(0);
  expect(runMain(root)).toBe("eager lazy function\n");
  expect(globSync("chunks/lazy-*.mjs", { cwd: join(root, "dist") })).toHaveLength(1);
  expect(readFileSync(join(root, "dist/files/platform/migrations/0001-things.sql"), "utf8")).toBe("SELECT 1;\n");
  expect(readFileSync(join(root, "dist/THIRD-PARTY-LICENSES.txt"), "utf8")).toMatch(/^zod [\d.]+\nLicence: MIT$/m);
});

it("loads HTTP without undici behind it, which an import of node:http would", () => {
  const root = project();
  writeTree(root, {
    "src/main.ts": `import http, { createServer } from "node:http";
const undici = process.moduleLoadList.some((name) => name.includes("undici"));
console.log(createServer === http.createServer, undici);\n`,
  });
  expect(build(root).status).toBe(0);
  expect(runMain(root)).toBe("true false\n");
  const bare = spawnSync(process.execPath, [join(root, "src/main.ts")], { encoding: "utf8" });
  expect(bare.stdout, "so the check above can fail").toBe("true true\n");
});

it("does nothing when dist is fresh, also after a test was edited", () => {
  const root = project();
  build(root);
  writeTree(root, { "src/main.test.ts": "// new" });
  expect(build(root, "--if-stale").output).toBe("");
  writeTree(root, { "src/lazy.ts": `export const word = "later";\n` });
  expect(build(root, "--if-stale").output).toContain("built dist");
  expect(runMain(root)).toBe("eager later function\n");
});

it("builds again when a file of dist is missing", () => {
  const root = project();
  build(root);
  rmSync(join(root, "dist/client.mjs"));
  build(root, "--if-stale");
  expect(existsSync(join(root, "dist/client.mjs"))).toBe(true);
});

it("leaves the old dist working when the sources do not compile", () => {
  const root = project();
  build(root);
  writeTree(root, { "src/lazy.ts": "export const word = ;\n" });
  const failed = build(root, "--if-stale");
  expect(failed.status).toBe(1);
  expect(failed.output).toMatch(/src\/lazy\.ts:1:20[^]*the build failed, dist is as before/);
  expect(runMain(root)).toBe("eager lazy function\n");
});

it("keeps the chunks a running process may still import, removes old ones, and all of them with --clean", () => {
  const root = project();
  build(root);
  const [first = ""] = globSync("dist/chunks/lazy-*.mjs", { cwd: root });
  writeTree(root, { "src/lazy.ts": `export const word = "second";\n`, "dist/chunks/ancient.mjs": "" });
  const longAgo = new Date(statSync(join(root, first)).mtimeMs - 48 * 3_600_000);
  utimesSync(join(root, "dist/chunks/ancient.mjs"), longAgo, longAgo);
  build(root);
  expect(existsSync(join(root, first))).toBe(true);
  expect(existsSync(join(root, "dist/chunks/ancient.mjs"))).toBe(false);
  build(root, "--clean");
  expect(existsSync(join(root, first))).toBe(false);
});

it("drops a migration at once when the sources no longer have it", () => {
  const root = project();
  build(root);
  rmSync(join(root, "src/platform/migrations/0001-things.sql"));
  build(root, "--if-stale");
  expect(globSync("dist/files/**/*.*", { cwd: root })).toEqual([]);
});

it("refuses to bundle a package without a licence", () => {
  const root = scratchFolder();
  writeTree(root, { "node_modules/@who/knows/package.json": `{ "name": "@who/knows", "version": "1.0.0" }` });
  expect(() => collectLicenses(root, ["node_modules/@who/knows/lib/index.js"])).toThrow(
    /without any licence: @who\/knows 1\.0\.0/,
  );
});

function project(): string {
  const root = scratchFolder();
  copyFromRepository(root, ["scripts/build.ts", "scripts/build"]);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  writeTree(root, {
    "package.json": `{ "type": "module" }\n`,
    "package-lock.json": "{}\n",
    "src/main.ts": `import { z } from "zod";\nconst { word } = await import("./lazy.ts");\nconsole.log("eager", word, typeof z.object);\n`,
    "src/lazy.ts": `export const word = "lazy";\n`,
    "src/contract/index.ts": `export const contract = 1;\n`,
    "src/surfaces/client/index.ts": `export { contract } from "../../contract/index.ts";\n`,
    "src/statusline.ts": `export const line = 1;\n`,
    "src/surfaces/statusline/line-without-daemon.ts": `export const line = 2;\n`,
    "src/app/library/engine.ts": `export const engine = 1;\n`,
    "src/platform/migrations/0001-things.sql": "SELECT 1;\n",
  });
  return root;
}

function build(root: string, ...flags: string[]): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, [join(root, "scripts/build.ts"), ...flags], { encoding: "utf8" });
  return { status: run.status, output: run.stdout + run.stderr };
}

function runMain(root: string): string {
  return spawnSync(process.execPath, [join(root, "dist/main.mjs")], { encoding: "utf8" }).stdout;
}
