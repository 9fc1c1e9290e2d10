import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { homePaths } from "../../platform/home/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { opencode } from "../opencode/index.ts";
import { installTroubles } from "./examine-install.ts";
import { planInstall } from "./install-client.ts";
import { planUninstall } from "./uninstall-client.ts";
import { planUpgrade } from "./upgrade-clients.ts";
import { foreignSettings, settingsTexts, tomlTexts } from "./testkit.ts";

type Scope = "local" | "project" | "user";
const scopes = fc.constantFrom<Scope>("local", "project", "user");
const clients = [claudeCode, codex, opencode, gemini];
const client = fc.constantFrom(...clients);

/** A repository and a home; `files` shows everything in both, byte for byte. */
function world(of: InstallableClientV1 = claudeCode) {
  const scratch = scratchFolder();
  const tree = join(scratch.path, "shop");
  mkdirSync(tree);
  const userHome = join(scratch.path, "user");
  mkdirSync(userHome);
  const env = { SYLK_HOME: join(scratch.path, "home"), HOME: userHome };
  mkdirSync(env.SYLK_HOME);
  execFileSync("git", ["init", "-q"], { cwd: tree, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
  const paths = homePaths(env);
  const terms = (scope: Scope, other = of) => ({ client: other, scope, cwd: tree, env, paths });
  const settings = (scope: Scope) => of.settingsFile(scope, { tree, userHome, env });
  const ownFiles = (scope: Scope) => [
    ...new Set([settings(scope), ...(of.furtherParts?.(settings(scope)) ?? []).map(({ file }) => file)]),
  ];
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return {
    ...terms("local"),
    tree,
    settings,
    ownFiles,
    put,
    install: (scope: Scope, other = of) => planInstall(terms(scope, other)),
    follow: (scope: Scope) => planInstall({ ...terms(scope), followLinks: true }),
    uninstall: (scope: Scope, other = of) => planUninstall(terms(scope, other)),
    upgrade: (newEnv: Readonly<Record<string, string>> = env) => planUpgrade({ clients, env: newEnv, paths }),
    write: (scope: Scope, text: string) => put(settings(scope), text),
    files: () => filesBelow(scratch.path),
    troubles: () => installTroubles({ paths, clients: [of], env }),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

/** Any text that such a file may hold. */
function textsFor(file: string): fc.Arbitrary<string> {
  return file.endsWith(".json") ? settingsTexts : file.endsWith(".toml") ? tomlTexts : fc.string();
}

it("leaves every file as it was, byte for byte, for any client, in any scope and over any settings [DUAL-6]", () => {
  const someTexts = fc.option(fc.gen(), { nil: undefined });
  fc.assert(
    fc.property(client, someTexts, scopes, (of, generate, scope) => {
      using one = world(of);
      if (generate !== undefined)
        for (const file of one.ownFiles(scope))
          one.put(
            file,
            generate(() => textsFor(file)),
          );
      const before = one.files();
      const plan = one.install(scope);
      expect(one.files()).toEqual(before);
      plan.apply();
      expect(one.install(scope).steps).toEqual([]);
      expect(one.troubles()).toMatchObject({ installed: 1, troubles: [] });
      one.uninstall(scope).apply();
      expect(one.files()).toEqual(before);
      expect(one.uninstall(scope).steps).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 60_000);

it("leaves no trace whatever clients come and go, in any order [DUAL-6]", () => {
  const orders = fc.tuple(
    fc.shuffledSubarray(clients, { minLength: 4 }),
    fc.shuffledSubarray(clients, { minLength: 4 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(orders, ([coming, going, withoutExclude]) => {
      using one = world();
      if (withoutExclude) rmSync(join(one.tree, ".git", "info"), { recursive: true });
      const before = one.files();
      for (const of of coming) one.install("local", of).apply();
      expect(execFileSync("git", ["status", "--porcelain"], { cwd: one.tree, encoding: "utf8" })).toBe("");
      for (const of of going) one.uninstall("local", of).apply();
      expect(one.files()).toEqual(before);
    }),
    { numRuns: 4 },
  );
}, 60_000);

it("upgrades in place and keeps each hook's command to the letter, also where the home is named otherwise by now [DUAL-13]", () => {
  using one = world(codex);
  one.install("local").apply();
  const [settings, launcher] = [one.settings("local"), join(one.paths.home, "hooks", "sylk-hook")];
  const commands = commandsIn(readFileSync(settings, "utf8"));
  const [hooks, script] = [readFileSync(settings, "utf8"), readFileSync(launcher, "utf8")];
  expect(one.upgrade().steps).toEqual([]);
  writeFileSync(launcher, "#!/bin/sh\n");
  writeFileSync(settings, JSON.stringify({ hooks: { Stop: (JSON.parse(hooks) as Hooks).hooks.Stop }, mine: 1 }));
  const plan = one.upgrade({ HOME: one.env.HOME });
  expect(plan.steps.map(({ file }) => file)).toEqual([launcher, settings]);
  plan.apply();
  expect(readFileSync(launcher, "utf8")).toBe(script);
  expect(commandsIn(readFileSync(settings, "utf8")).toSorted()).toEqual(commands.toSorted());
  expect(JSON.parse(readFileSync(settings, "utf8"))).toMatchObject({ mine: 1 });
  rmSync(one.tree, { recursive: true });
  expect(one.upgrade()).toMatchObject({ steps: [], notes: [expect.stringContaining("was left alone")] });
});

/** What Codex hashes when its user trusts a hook: a change here silences it on every machine. */
it("writes the same hooks for Codex in every release [DUAL-13]", () => {
  using one = world(codex);
  one.install("project").apply();
  const command = (event: string) =>
    `h="\${SYLK_HOME:-$HOME/.sylk}/hooks/sylk-hook"; [ ! -r "$h" ] || sh "$h" codex ${event}`;
  const group = (event: string, timeout: number, matcher?: string) => [
    { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command: command(event), timeout }] },
  ];
  expect(JSON.parse(readFileSync(one.settings("project"), "utf8"))).toEqual({
    hooks: {
      SessionStart: group("SessionStart", 10),
      // The second came later: the first is trusted as it was.
      PreToolUse: [...group("PreToolUse", 5, "Bash|apply_patch"), ...group("PreToolUse", 5, "mcp__.*")],
      SubagentStart: group("SubagentStart", 5),
      SubagentStop: group("SubagentStop", 5),
      Stop: group("Stop", 5),
      SessionEnd: group("SessionEnd", 3),
    },
  });
});

it("says that Codex runs no hook that its user has not trusted", () => {
  using one = world(codex);
  one.install("user").apply();
  const file = one.settings("user");
  expect(one.troubles().obstacles).toEqual([expect.stringMatching(/SessionStart, PreToolUse, .* type \/hooks/)]);
  const states = [
    "session_start:0",
    "pre_tool_use:0",
    "subagent_start:0",
    "subagent_stop:0",
    "stop:0",
    "session_end:0",
  ];
  const trustOf = (trusted: readonly string[]): string =>
    trusted.map((state) => `[hooks.state."${file}:${state}:0"]\ntrusted_hash = "sha256:0"\n`).join("");
  const config = join(dirname(file), "config.toml");
  one.put(config, trustOf(states));
  expect(one.troubles()).toMatchObject({ troubles: [expect.stringContaining("MCP server")] });
  one.install("user").apply();
  expect(one.troubles().obstacles, "one of two is trusted").toEqual([expect.stringContaining("(PreToolUse in")]);
  one.put(config, readFileSync(config, "utf8") + trustOf(["pre_tool_use:1"]));
  const shells = { prefixed: [], unprefixed: ["codex"] };
  expect(one.troubles()).toEqual({ installed: 1, troubles: [], obstacles: [], ...shells });
});

it("leaves a server of that name that the user put there, and a form that no table may follow [DUAL-6]", () => {
  for (const text of ['[mcp_servers.sylk]\ncommand = "mine"\n', "mcp_servers = { }\n", '[ mcp_servers . "sylk" ]\n']) {
    using one = world(codex);
    const config = join(dirname(one.settings("project")), "config.toml");
    one.put(config, text);
    one.install("project").apply();
    expect(readFileSync(config, "utf8")).toBe(text);
  }
  using one = world(gemini);
  one.write("project", '{"mcpServers":{"sylk":{"command":"mine"}}}');
  one.install("project").apply();
  expect(JSON.parse(readFileSync(one.settings("project"), "utf8"))).toMatchObject({
    mcpServers: { sylk: { command: "mine" } },
  });
});

it("goes from one's own settings to the project's: then git sees what is to be committed", () => {
  using one = world(gemini);
  one.install("local").apply();
  one.install("project").apply();
  const seen = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: one.tree, encoding: "utf8" });
  expect(seen).toBe("?? .gemini/settings.json\n");
});

const withJsonSettings = fc.constantFrom(claudeCode, codex, gemini);

it("keeps what the user changed in between, and takes only what is ours [DUAL-6]", () => {
  fc.assert(
    fc.property(withJsonSettings, settingsTexts, scopes, fc.boolean(), (of, text, scope, again) => {
      using one = world(of);
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
  expect(one.troubles()).toMatchObject({ installed: 1, troubles: [] });
  one.uninstall("project").apply();
  expect(one.files()).toEqual(before);
});

it("names no place of this machine in settings that are committed", () => {
  using one = world();
  one.install("project").apply();
  expect(readFileSync(one.settings("project"), "utf8")).not.toContain(dirname(one.tree));
});

it("writes through a link only where that is wanted, also later, and says first where it leads", () => {
  using one = world();
  const elsewhere = join(dirname(one.tree), "dotfiles");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(one.tree, ".claude"));
  const before = one.files();
  const leadsTo = join(elsewhere, "settings.local.json");
  const plan = one.install("local");
  expect(plan.steps.find(({ file }) => file === one.settings("local"))?.what).toContain(`by a link into ${leadsTo}`);
  expect(plan.refusal).toMatchObject({ code: "file.link", details: { file: one.settings("local"), leadsTo } });
  expect(() => plan.apply()).toThrow("--follow-links");
  expect(one.files()).toEqual(before);
  one.follow("local").apply();
  expect(readFileSync(leadsTo, "utf8")).toContain("sylk-hook");
  writeFileSync(leadsTo, "{}");
  expect(one.upgrade().notes).toEqual([]);
  one.upgrade().apply();
  expect(readFileSync(leadsTo, "utf8")).toContain("sylk-hook");
});

it("leaves at an upgrade what has become a link since", () => {
  using one = world();
  one.install("local").apply();
  renameSync(join(one.tree, ".claude"), join(one.tree, "moved"));
  symlinkSync("moved", join(one.tree, ".claude"));
  writeFileSync(one.settings("local"), "{}");
  expect(one.upgrade().notes).toEqual([expect.stringContaining("by a link")]);
  one.upgrade().apply();
  expect(readFileSync(one.settings("local"), "utf8")).toBe("{}");
});

it("makes the file that a link names and that is not there, and keeps the link", () => {
  using one = world();
  mkdirSync(join(one.tree, ".claude"));
  symlinkSync("../kept/settings.json", one.settings("local"));
  expect(one.install("local").refusal).toMatchObject({ details: { leadsTo: join(one.tree, "kept/settings.json") } });
  one.follow("local").apply();
  expect(readFileSync(join(one.tree, "kept/settings.json"), "utf8")).toContain("sylk-hook");
  expect(lstatSync(one.settings("local")).isSymbolicLink()).toBe(true);
});

it("writes through a link, keeps the file's mode, and tells what is missing or of another version", () => {
  using one = world();
  const real = join(one.tree, "dotfiles.json");
  writeFileSync(real, "{}", { mode: 0o600 });
  mkdirSync(join(one.tree, ".claude"));
  symlinkSync(real, one.settings("project"));
  one.follow("project").apply();
  expect(readFileSync(real, "utf8")).toContain("sylk-hook");
  expect(statSync(real).mode & 0o777).toBe(0o600);
  writeFileSync(join(one.paths.home, "hooks", "sylk-hook"), "#!/bin/sh\n");
  writeFileSync(join(one.tree, ".git", "hooks", "pre-commit"), "#!/bin/sh\n");
  writeFileSync(real, "{}");
  expect(one.troubles().troubles).toEqual([
    expect.stringContaining("is not this version's"),
    expect.stringContaining("has none of our hooks"),
    expect.stringContaining("has no commit gate"),
  ]);
});

type Hooks = {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
};

function commandsIn(text: string): readonly string[] {
  const groups = Object.values((JSON.parse(text) as Hooks).hooks).flat();
  return groups.flatMap((group) => group.hooks.map(({ command }) => command));
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? `${statSync(path).mode} ${readFileSync(path, "base64")}` : "folder"] as const;
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
