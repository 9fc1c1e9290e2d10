import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { homePaths } from "../../platform/home/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { claudeCode } from "../claude-code/index.ts";
import { installTroubles } from "./examine-install.ts";
import { planInstall } from "./install-client.ts";
import { planUninstall } from "./uninstall-client.ts";
import { foreignSettings, settingsTexts } from "./testkit.ts";

type Scope = "local" | "project" | "user";
const scopes = fc.constantFrom<Scope>("local", "project", "user");

/** A repository and a home; `files` shows everything in both, byte for byte. */
function world() {
  const scratch = scratchFolder();
  const tree = join(scratch.path, "shop");
  mkdirSync(tree);
  const userHome = join(scratch.path, "user");
  mkdirSync(userHome);
  const env = { SYLK_HOME: join(scratch.path, "home"), HOME: userHome };
  mkdirSync(env.SYLK_HOME);
  execFileSync("git", ["init", "-q"], { cwd: tree, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
  const terms = (scope: Scope) => ({ client: claudeCode, scope, cwd: tree, env, paths: homePaths(env) });
  const settings = (scope: Scope) => claudeCode.settingsFile(scope, { tree, userHome, env });
  return {
    ...terms("local"),
    tree,
    settings,
    install: (scope: Scope) => planInstall(terms(scope)),
    uninstall: (scope: Scope) => planUninstall(terms(scope)),
    write(scope: Scope, text: string) {
      mkdirSync(dirname(settings(scope)), { recursive: true });
      writeFileSync(settings(scope), text);
    },
    files: () => filesBelow(scratch.path),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

it("leaves every file as it was, byte for byte, in any scope and over any settings [DUAL-6]", () => {
  fc.assert(
    fc.property(fc.option(settingsTexts, { nil: undefined }), scopes, (text, scope) => {
      using one = world();
      if (text !== undefined) one.write(scope, text);
      const before = one.files();
      const plan = one.install(scope);
      expect(one.files()).toEqual(before);
      plan.apply();
      expect(one.install(scope).steps).toEqual([]);
      expect(installTroubles(one.paths)).toEqual({ installed: 1, troubles: [] });
      one.uninstall(scope).apply();
      expect(one.files()).toEqual(before);
      expect(one.uninstall(scope).steps).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 60_000);

it("keeps what somebody changed in between, and takes only what is ours [DUAL-6]", () => {
  fc.assert(
    fc.property(settingsTexts, scopes, fc.boolean(), (text, scope, again) => {
      using one = world();
      one.write(scope, text);
      one.install(scope).apply();
      const file = one.settings(scope);
      writeFileSync(file, JSON.stringify({ added: true, ...(JSON.parse(readFileSync(file, "utf8")) as object) }));
      if (again) one.install(scope).apply();
      one.uninstall(scope).apply();
      expect(foreignSettings(readFileSync(file, "utf8"))).toEqual({ added: true, ...foreignSettings(text) });
    }),
    { numRuns: 15 },
  );
}, 60_000);

it("sets a status line only where the user has none in any settings, and says how to have ours [STAT-1]", () => {
  using one = world();
  const ours = () => (JSON.parse(readFileSync(one.settings("local"), "utf8")) as { statusLine?: object }).statusLine;
  const isLeft = () => one.install("local").notes.some((note) => note.includes("sylk statusline"));
  one.install("local").apply();
  expect(ours()).toEqual({ type: "command", command: expect.stringContaining("/hooks/sylk-statusline") as string });
  expect(isLeft()).toBe(false);
  one.write("user", '{"statusLine": {"type": "command", "command": "mine"}}');
  expect(isLeft()).toBe(true);
  one.install("local").apply();
  expect(ours()).toBeUndefined();
  one.install("project").apply();
  expect(readFileSync(one.settings("project"), "utf8")).not.toContain("statusLine");
  expect(readFileSync(one.settings("user"), "utf8")).toContain('"mine"');
});

it("writes nothing at all when the settings are no JSON, and names the file", () => {
  using one = world();
  one.write("local", "{ broken");
  const before = one.files();
  expect(() => one.install("local").apply()).toThrow(one.settings("local"));
  expect(one.files()).toEqual(before);
});

it("keeps launcher and gate until the last place that uses them is gone", () => {
  using one = world();
  const before = one.files();
  one.install("local").apply();
  one.install("project").apply();
  one.uninstall("local").apply();
  expect(existsSync(join(one.tree, ".git", "hooks", "pre-commit"))).toBe(true);
  expect(installTroubles(one.paths)).toEqual({ installed: 1, troubles: [] });
  one.uninstall("project").apply();
  expect(one.files()).toEqual(before);
});

it("names no place of this machine in settings that are committed", () => {
  using one = world();
  one.install("project").apply();
  expect(readFileSync(one.settings("project"), "utf8")).not.toContain(dirname(one.tree));
});

it("writes through a link, keeps the file's mode, and tells what is missing or of another version", () => {
  using one = world();
  const real = join(one.tree, "dotfiles.json");
  writeFileSync(real, "{}", { mode: 0o600 });
  mkdirSync(join(one.tree, ".claude"));
  symlinkSync(real, one.settings("project"));
  one.install("project").apply();
  expect(readFileSync(real, "utf8")).toContain("sylk-hook");
  expect(statSync(real).mode & 0o777).toBe(0o600);
  writeFileSync(join(one.paths.home, "hooks", "sylk-hook"), "#!/bin/sh\n");
  writeFileSync(join(one.tree, ".git", "hooks", "pre-commit"), "#!/bin/sh\n");
  writeFileSync(real, "{}");
  expect(installTroubles(one.paths).troubles).toEqual([
    expect.stringContaining("is not this version's"),
    expect.stringContaining("has none of our hooks"),
    expect.stringContaining("has no commit gate"),
  ]);
});

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? `${statSync(path).mode} ${readFileSync(path, "base64")}` : "folder"] as const;
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
