/**
 * No connection leaves this machine unless a provider was configured: watched in every process of a whole tour, and once
 * more where there is no network to leave by.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mainScript, startProcess } from "../flows/run-sylk.ts";
import { openScratchHome, type ScratchHome } from "../flows/scratch-home.ts";
import { goodChange, makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { within } from "../flows/until.ts";
import type { Attempt, Watched } from "../../scripts/test-run/outbound-hook.ts";

const hook = join(import.meta.dirname, "..", "..", "scripts", "test-run", "outbound-hook.ts");
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tour", version: "1" } },
});

function openWatchedHome() {
  const home = openScratchHome({ env: shopEnv });
  const log = join(home.root, "outbound.log");
  const env = { NODE_OPTIONS: `--import ${hook}`, SYLK_OUTBOUND_LOG: log };
  return { home, env, seen: () => linesOf(log) };
}

function linesOf(log: string): { readonly attempts: readonly Attempt[]; readonly roles: ReadonlySet<string> } {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  const all = lines.map((line) => JSON.parse(line) as Attempt | Watched);
  const attempts = all.filter((line): line is Attempt => "to" in line);
  const watched = all.filter((line): line is Watched => "watched" in line);
  // The word after the program: up, serve, __worker and so on.
  return { attempts, roles: new Set(watched.map((line) => line.watched[1] ?? "")) };
}

/** As a person would type it, in one shell; stops at the first command that fails. */
function tourOf(home: ScratchHome, { demo }: { readonly demo: boolean }): string {
  const shop = makeQuickShop(home);
  const sylk = `"${process.execPath}" "${mainScript}"`;
  const run = `run "Change the shop" --rehearse "${shop.scenario(goodChange())}" --test-command "node test/format.test.ts" --yes --json`;
  return [
    "set -e",
    `cd "${shop.repository}"`,
    `${sylk} up`,
    ...(demo ? [`${sylk} demo --json`] : []),
    `${sylk} ${run}`,
    `echo '${initialize}' | ${sylk} mcp`,
    `${sylk} work add "On the way"`,
    `${sylk} dashboard --json`,
    `${sylk} provider list`,
    `${sylk} status --json`,
    `${sylk} doctor || test $? -lt 64`,
    `${sylk} down`,
  ].join("\n");
}

async function runShell(
  home: ScratchHome,
  env: Readonly<Record<string, string>>,
  argv: readonly [string, ...string[]],
) {
  const [program, ...args] = argv;
  const started = startProcess(program, args, { cwd: home.repository, env: { ...home.env, ...env } });
  return within("the tour ends", started.ended, { withinMs: 55_000 });
}

describe("on a whole tour", () => {
  it("no process of ours, command, daemon or worker, tries to leave this machine [CORE-23]", async () => {
    const { home, env, seen } = openWatchedHome();
    await using _closed = home;
    const { code, stdout, stderr } = await runShell(home, env, ["sh", "-c", tourOf(home, { demo: true })]);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain('"verified"');
    const { attempts, roles } = seen();
    for (const role of ["up", "serve", "__worker", "demo", "run", "mcp", "status", "doctor", "down"])
      expect(roles, "every process was watched").toContain(role);
    expect(attempts).toEqual([]);
  });

  it("everything works where there is no network at all but loopback", async ({ skip }) => {
    const has = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0;
    skip(!has, "this user may not make a network namespace, or there is no ip command");
    await using home = openScratchHome({ env: shopEnv });
    const tour = `ip link set lo up\n${tourOf(home, { demo: false })}`;
    const { code, stdout, stderr } = await runShell(home, {}, ["unshare", "-rn", "sh", "-c", tour]);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain('"verified"');
  });
});

it("a provider that the user configured is reached for, and only then, and the watch sees it [CORE-23]", async () => {
  const { home, env, seen } = openWatchedHome();
  await using _closed = home;
  const sylk = (...args: readonly string[]) => home.sylk(args, { env });
  const far = "http://192.0.2.1:8080/v1"; // an address for documentation: nobody's
  const added = await sylk(
    "provider",
    "add",
    "far",
    "--kind",
    "openai-compatible",
    "--model",
    "m",
    "--base-url",
    far,
    "--key",
    "k",
  );
  expect(added.code, added.stderr).toBe(0);
  expect(seen().attempts, "configuring alone asks nobody").toEqual([]);
  await sylk("provider", "test", "far", "--json");
  expect(new Set(seen().attempts.map(({ to }) => to))).toEqual(new Set(["192.0.2.1"]));
});
