/** Every published integration in every surrounding: alone, beside a daemon, inside a run, and with each companion missing. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { clientLibrary, libraryRecord } from "../../src/adapters/client-library/index.ts";
import { knownClients } from "../../src/adapters/clients/index.ts";
import { Integration } from "../../src/adapters/plugins/index.ts";
import { hookClient } from "./hook-client.ts";
import { repositoryRoot } from "./run-sylk.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { endedRun, makeQuickShop, shopEnv } from "./scratch-shop.ts";
import { until, within } from "./until.ts";

type Env = Readonly<Record<string, string>>;
type Place = { readonly session: string; readonly folder: string; readonly env: Env };
type Answer = { readonly denied: string | undefined; readonly said: string };
type Part = { readonly name: string; edit(file: string, place: Place): Promise<Answer> };

const plugins = join(repositoryRoot, "plugins");
const shared = { CLAUDE_PLUGIN_ROOT: join(plugins, "sylk") };
const parts: readonly Part[] = [
  launched("claude-code", "sylk", "PreToolUse", "Bash", shared),
  launched("codex", "sylk", "PreToolUse", "Bash", { ...shared, PLUGIN_ROOT: shared.CLAUDE_PLUGIN_ROOT }),
  launched("gemini", "gemini", "BeforeTool", "run_shell_command", { extensionPath: join(plugins, "gemini") }),
  { name: "opencode", edit: editInOpencode },
];

function launched(name: string, folder: string, event: string, tool: string, more: Env): Part {
  const settings = join(plugins, folder, "hooks", "hooks.json");
  return {
    name,
    async edit(file, { session, folder: repository, env }) {
      const client = hookClient({ session, repository, env: { ...env, ...more }, settings });
      const fields = { tool_name: tool, tool_input: { command: `echo x > ${file}` } };
      const { code, stdout, stderr } = await client.send(event, fields);
      expect([0, 2]).toContain(code);
      // A call that no daemon judged is said where the user sees it, and nothing else is.
      const isUnguarded = stderr.includes("not guarded: the daemon") || stderr.includes("neither curl nor node");
      expect(stdout).toMatch(isUnguarded ? /^\{"systemMessage":"Sylk: this call was NOT guarded: .*"\}\n$/ : /^$/);
      return code === 2 ? { denied: stderr, said: "" } : { denied: undefined, said: stderr };
    },
  };
}

type Plugin = {
  readonly Sylk: (terms: object) => Promise<Record<string, (input: object, output: object) => Promise<void>>>;
};
let loads = 0;

async function editInOpencode(file: string, { session, folder, env }: Place): Promise<Answer> {
  for (const name of ["SYLK_HOME", "HOME", "SYLK_NUDGES", "SYLK_CLIENT_LIBRARY"]) vi.stubEnv(name, env[name]);
  const said: string[] = [];
  const log = async ({ body }: { body: { message: string } }): Promise<void> => void said.push(body.message);
  try {
    const { href } = pathToFileURL(join(plugins, "opencode", "sylk.js"));
    const { Sylk } = (await import(/* @vite-ignore */ `${href}?${++loads}`)) as Plugin;
    const hooks = await Sylk({ directory: folder, client: { app: { log } } });
    const args = { filePath: join(folder, file) };
    await hooks["tool.execute.before"]!({ tool: "write", sessionID: session }, { args });
    return { denied: undefined, said: said.join("\n") };
  } catch (error) {
    return { denied: (error as Error).message, said: "" };
  } finally {
    vi.unstubAllEnvs();
  }
}

let daemon: ScratchDaemon;
let noGate: string;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  noGate = daemon.addRepository("no-gate");
  for (const project of [daemon.repository, noGate]) {
    const { client } = await daemon.register("heron", { project });
    await client.call("reservation.acquire", { paths: ["held.ts"], ttlMs: 1_700_000 });
  }
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Surrounding = {
  readonly name: string;
  /** What becomes of an edit: of a free file, and of one that another agent holds. */
  readonly outcome: "guarded" | "unguarded" | "nothing";
  /** Said at the first edit of a session. */
  readonly said?: RegExp;
  readonly only?: (part: Part) => boolean;
  /** Tools that are not on the PATH. */
  readonly missing?: readonly string[];
  readonly folder?: () => string;
  readonly home?: () => string;
  /** Of the library in the home; none where it is undefined. */
  readonly installed?: string;
};

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
const isLaunched = ({ name }: Part): boolean => name !== "opencode";
/** The others start the same launcher. */
const isOneOfAKind = ({ name }: Part): boolean => name === "claude-code" || name === "opencode";
const isLauncherAlone = ({ name }: Part): boolean => name === "claude-code";
const surroundings: readonly Surrounding[] = [
  { name: "standalone", outcome: "nothing", home: () => join(daemon.root, "never") },
  { name: "integrated, by the plugin alone", outcome: "guarded" },
  { name: "integrated, beside an installation", outcome: "guarded", installed: version },
  {
    name: "without a daemon",
    outcome: "unguarded",
    said: /not guarded: the daemon does not answer/,
    home: stoppedHome,
  },
  { name: "without curl", outcome: "guarded", missing: ["curl"], installed: version, only: isLauncherAlone },
  {
    name: "without curl and node",
    outcome: "unguarded",
    said: /not guarded: there is neither curl nor node/,
    missing: ["curl", "node"],
    only: isLauncherAlone,
  },
  { name: "without git and sylk", outcome: "guarded", missing: ["git", "sylk"], only: isOneOfAKind },
  {
    name: "without the commit gate",
    outcome: "guarded",
    said: /^Sylk: commits are not guarded in this repository; "sylk install [a-z-]+" adds the commit gate\s*$/,
    folder: () => noGate,
    installed: version,
    only: isOneOfAKind,
  },
  {
    name: "beside a newer library",
    outcome: "guarded",
    said: /uses the library of 99.0.0; "sylk upgrade"/,
    installed: "99.0.0",
    only: isOneOfAKind,
  },
  {
    name: "beside an older library",
    outcome: "guarded",
    said: /is not used \(it is of version 0.0.0, older/,
    installed: "0.0.0",
    only: isOneOfAKind,
  },
];
const matrix = surroundings.flatMap((surrounding) =>
  parts
    .filter((part) => surrounding.only?.(part) ?? true)
    .map((part) => ({ what: `${part.name} ${surrounding.name}`, part, surrounding })),
);

it.each(matrix)("$what does what it says it does [DUAL-1, DUAL-5]", async ({ what, part, surrounding }) => {
  const { outcome, said, missing, installed } = surrounding;
  const home = surrounding.home?.() ?? daemon.paths.home;
  const folder = surrounding.folder?.() ?? daemon.repository;
  const env = { ...daemon.env, SYLK_HOME: home, ...(missing === undefined ? {} : { PATH: pathWithout(missing) }) };
  const place = { session: what.replaceAll(/\W+/g, "-"), folder, env };
  putLibrary(installed);
  const own = `${place.session}.ts`;
  const first = await part.edit(own, place);
  const denied = await part.edit("held.ts", { ...place, session: `${place.session}-2` });
  expect(first.denied).toBeUndefined();
  if (outcome === "guarded") {
    expect(first.said).toMatch(said ?? /^$/);
    if (said !== undefined && isLaunched(part)) expect((await part.edit(own, place)).said).toBe("");
    expect(denied.denied).toContain('"held.ts" is held by heron');
  } else expect(denied.denied).toBeUndefined();
  if (outcome === "nothing") expect([first.said, existsSync(home)]).toEqual(["", false]);
  if (outcome === "unguarded") {
    if (isLaunched(part)) expect(first.said).toMatch(said!);
    expect(readFileSync(join(home, "log", "hook-outcomes.jsonl"), "utf8")).toContain(`"component":"hook/${part.name}/`);
  }
  rmSync(join(home, "log", "hook-outcomes.jsonl"), { force: true });
});

it("has every integration in all three layers: tried above, and described for each of them [DUAL-1]", async () => {
  const names = parts.map(({ name }) => name);
  expect(names, "every client that can be installed").toEqual(knownClients.map(({ name }) => name).toSorted());
  for (const layer of ["standalone", "integrated"])
    for (const name of names) expect(matrix.some(({ what }) => what.startsWith(`${name} ${layer}`))).toBe(true);
  const page = readFileSync(join(repositoryRoot, "docs", "dual-mode.md"), "utf8");
  const [, head = "", ...rows] = /\n(\| integration \|.*)\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? [];
  expect(cellsOf(head)).toEqual(["integration", "standalone", "integrated", "orchestrated"]);
  const described = rows.join("").trim().split("\n").map(cellsOf);
  expect(described.map(([name]) => name)).toEqual(names);
  for (const cells of described) expect(cells.filter((cell) => cell.length > 20)).toHaveLength(3);
});

const cellsOf = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

it("gives local value where Sylk was never set up: status line and cost, at once, and nothing is left behind [DUAL-1]", async () => {
  const home = join(daemon.root, "never-set-up");
  const env = { SYLK_HOME: home, HOME: join(daemon.root, "never-at-home") };
  mkdirSync(env.HOME);
  const alone = (...args: readonly string[]) =>
    within("it ends", daemon.start(args, { env }).ended, { withinMs: 20_000 });
  expect(await alone("statusline")).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^sylk \w+/) });
  expect(await alone("cost")).toMatchObject({ code: 0, stderr: expect.stringMatching(/^no daemon runs: /) });
  expect([existsSync(home), existsSync(join(env.HOME, ".sylk"))]).toEqual([false, false]);
});

it("covers every companion and every requirement that integration.json names [DUAL-5]", () => {
  const file = join(plugins, "sylk", ".claude-plugin", "integration.json");
  const { companions, integrated_features: features } = Integration.parse(JSON.parse(readFileSync(file, "utf8")));
  const named = new Set([...companions.map(({ name }) => name), ...features.flatMap(({ requires }) => requires)]);
  expect([...named].toSorted()).toEqual(["commit-gate", "daemon", "git", "run", "sylk"]);
});

it("keeps several integrations of one session to one library, one holder and two nudges [DUAL-4, DUAL-5]", async () => {
  putLibrary(version);
  const folder = daemon.addRepository("crowded");
  const place = { session: "crowded", folder, env: daemon.env };
  const answers: Answer[] = [];
  for (const part of [...parts, ...parts]) answers.push(await part.edit(`${part.name}.ts`, place));
  expect(answers.map(({ denied }) => denied)).toEqual(answers.map(() => undefined));
  const nudges = answers.flatMap(({ said }) => said.split("\n").filter(Boolean));
  expect(nudges.length).toBeGreaterThan(0);
  expect(nudges.length).toBeLessThanOrEqual(2);
  const { items } = await daemon.clientOf({ project: folder }).call("reservation.list", {});
  expect(items.flatMap(({ paths }) => paths).toSorted()).toEqual(parts.map(({ name }) => `${name}.ts`).toSorted());
});

it("says nothing more once the installation was made that it named, or nudges are off [DUAL-4]", async () => {
  putLibrary(version);
  const folder = daemon.addRepository("mended");
  const edit = (session: string, env = daemon.env) => parts[0]!.edit(`${session}.ts`, { session, folder, env });
  expect((await edit("off-1", { ...daemon.env, SYLK_NUDGES: "off" })).said).toBe("");
  rmSync(join(daemon.paths.home, "nudges"), { recursive: true });
  const { said } = await edit("mended-1");
  const named = /"sylk ([a-z -]+)"/.exec(said)![1]!.split(" ");
  expect(await daemon.sylk([...named, "--yes"], { cwd: folder })).toMatchObject({ code: 0 });
  expect((await edit("mended-2")).said).toBe("");
});

it("guards inside a run as beside it: its engineers and sessions in its tree see each other's files [DUAL-5]", async () => {
  putLibrary(undefined);
  const shop = makeQuickShop(daemon);
  const waiting = `
import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
test("somebody came by", async () => {
  for (let looks = 0; looks < 3000 && !existsSync("test/go"); looks++) await setTimeout(20);
});
`;
  const turns = [
    plan([{ key: "limit" }]),
    ...work(
      "limit",
      [write("src/limit.ts", "export const limit = 1;\n"), write("test/wait.test.ts", waiting)],
      command("node", "--test", "test/wait.test.ts"),
      finish(),
    ),
  ];
  const started = shop.start(turns);
  const user = daemon.clientOf({ project: shop.repository });
  const held = await until("the engineer holds its files", async () => {
    const { items } = await user.call("reservation.list", {});
    return items.find(({ paths }) => paths.includes("test/wait.test.ts"));
  });
  for (const part of parts) {
    const place = { session: `run-${part.name}`, folder: held.tree, env: daemon.env };
    expect((await part.edit("src/limit.ts", place)).denied).toContain(`is held by ${held.holder.name}`);
    expect(await part.edit(`src/${part.name}.ts`, place)).toEqual({ denied: undefined, said: "" });
  }
  writeFileSync(join(held.tree, "test", "go"), "");
  const { run } = endedRun(await within("the run ends", started.ended));
  expect([run.status, run.reason]).toEqual(["verified", undefined]);
});

it("writes down only what it saw while no daemon ran; the next one counts that once, and grants nothing [DUAL-10]", async () => {
  await daemon.kill();
  for (const part of parts) {
    const place = { session: `offline-${part.name}`, folder: daemon.repository, env: daemon.env };
    expect((await part.edit(`offline-${part.name}.ts`, place)).denied).toBeUndefined();
  }
  const journal = join(daemon.paths.logs, "hook-outcomes.jsonl");
  expect(readFileSync(journal, "utf8").trim().split("\n")).toHaveLength(parts.length);
  await daemon.restart();
  await until("the journal is counted", () => !existsSync(journal));
  const counted = async () => {
    const { components } = await daemon.user.call("health.show", { kind: "hook" });
    const missed = components.filter(({ degraded }) => degraded > 0);
    return Object.fromEntries(missed.map(({ name, degraded }) => [name, degraded]));
  };
  const once = Object.fromEntries(
    ["claude-code/PreToolUse", "codex/PreToolUse", "gemini/BeforeTool", "opencode/tool"].map((hook) => [
      `hook/${hook}`,
      1,
    ]),
  );
  await until("it is shown", async () => Object.keys(await counted()).length === parts.length);
  expect(await counted()).toEqual(once);
  const { items } = await daemon.user.call("reservation.list", {});
  expect(items.flatMap(({ paths }) => paths).filter((path) => path.startsWith("offline-"))).toEqual([]);
});

/** Set up once, and no daemon runs. */
function stoppedHome(): string {
  const home = join(daemon.root, "stopped");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "token"), "t");
  return home;
}

function putLibrary(version: string | undefined): void {
  const folder = join(daemon.paths.home, "hooks");
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(daemon.paths.home, "nudges"), { recursive: true, force: true });
  if (version === undefined) return;
  mkdirSync(folder, { mode: 0o700 });
  const text = clientLibrary(version);
  writeFileSync(join(folder, "sylk-client.cjs"), text, { mode: 0o600 });
  writeFileSync(join(folder, "sylk-client.json"), libraryRecord(text, version), { mode: 0o600 });
  const gated = { client: "claude-code", scope: "local", tree: daemon.repository, preCommit: {} };
  writeFileSync(join(folder, "installed.json"), JSON.stringify({ version: 1, items: [gated] }));
}

/** Everything the launcher may use, but for these. */
function pathWithout(missing: readonly string[]): string {
  const bin = join(daemon.root, `without-${missing.join("-")}`);
  if (existsSync(bin)) return bin;
  mkdirSync(bin);
  for (const tool of ["sh", "date", "sed", "tr", "wc", "mkdir", "tail", "mv", "rm", "ps", "git", "curl"]) {
    const found = execFileSync("sh", ["-c", `command -v ${tool} || true`], { encoding: "utf8" }).trim();
    if (found !== "" && !missing.includes(tool)) symlinkSync(found, join(bin, tool));
  }
  if (!missing.includes("node")) symlinkSync(process.execPath, join(bin, "node"));
  expect(readdirSync(bin)).toContain("sh");
  return bin;
}
