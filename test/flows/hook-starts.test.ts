/** No daemon runs: after a crash or a reboot the first hook starts it; after "sylk down" every hook says that it guards nothing. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readDaemonRecord } from "../../src/platform/home/index.ts";
import { hookClient, type HookRun } from "./hook-client.ts";
import { killAndWait } from "./processes.ts";
import { openScratchHome, type ScratchHome, writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

let home: ScratchHome;
beforeAll(async () => {
  home = openScratchHome();
  const { code, stderr } = await home.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  // The launcher counts tenths of a second; on a busy machine they are longer here.
  writeTree(home.root, { "bin/sleep": "#!/bin/sh\nexec /bin/sleep 0.5\n" });
  chmodSync(join(home.root, "bin", "sleep"), 0o755);
});
afterAll(() => home[Symbol.asyncDispose]());

beforeEach(async () => {
  await home.sylk(["up"]);
  await session("holder").edit("held.ts");
  rmSync(join(home.paths.logs, "hook-start"), { force: true }); // half a minute has passed
});

const session = (name: string) => hookClient({ session: name, repository: home.repository, env: patientEnv() });
const patientEnv = () => ({ ...home.env, PATH: `${join(home.root, "bin")}:${home.env.PATH}` });
const pidOf = (): number | undefined => readDaemonRecord(home.paths.record)?.pid;
const messageIn = ({ stdout }: HookRun): string =>
  (JSON.parse(stdout) as { readonly systemMessage: string }).systemMessage;
async function crash({ keepsSocket }: { readonly keepsSocket: boolean }): Promise<number> {
  const pid = pidOf()!;
  await killAndWait(pid);
  if (!keepsSocket) rmSync(home.paths.socket);
  return pid;
}
const isBack = (after: number) =>
  until("another daemon answers", async () => (await home.sylk(["status"])).code === 0 && pidOf() !== after);

it("an edit after a reboot starts the daemon and is judged by it: a held file is denied", async () => {
  const gone = await crash({ keepsSocket: false });
  const denied = await session("first").edit("held.ts");
  expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('"held.ts" is held by ')]);
  expect(pidOf()).not.toBe(gone);
});

it("a session's start after a crash starts the daemon and says who is here", async () => {
  const gone = await crash({ keepsSocket: true });
  const { code, stdout } = await session("second").start();
  expect([code, stdout]).toEqual([0, expect.stringContaining("held.ts")]);
  expect(stdout).not.toContain("coordination=absent");
  expect(pidOf()).not.toBe(gone);
});

it("an edit after a crash says on the screen that it was not guarded and that the daemon starts; the next one is judged", async () => {
  const gone = await crash({ keepsSocket: true });
  const first = await session("third").edit("held.ts");
  expect([first.code, messageIn(first)]).toEqual([
    0,
    "Sylk: this call was NOT guarded: the daemon does not answer at its socket; the daemon is being started, and the next call is guarded",
  ]);
  await isBack(gone);
  expect((await session("third").edit("held.ts")).code).toBe(2);
});

it("a commit after a crash starts the daemon and is judged by it", async () => {
  const gone = await crash({ keepsSocket: true });
  writeFileSync(join(home.repository, "held.ts"), "mine\n");
  execFileSync("git", ["add", "held.ts"], { cwd: home.repository });
  const words = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid", "commit", "--message", "mine"];
  const { status, stderr } = spawnSync("git", words, { cwd: home.repository, env: patientEnv(), encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringContaining("held.ts")]);
  expect(pidOf()).not.toBe(gone);
});

it("sylk down is respected: no hook starts the daemon, and each says on the screen that nothing is guarded", async () => {
  expect((await home.sylk(["down"])).code).toBe(0);
  const edit = await session("fourth").edit("held.ts");
  expect([edit.code, messageIn(edit)]).toEqual([
    0,
    'Sylk: this call was NOT guarded: the daemon does not answer at its socket; "sylk up" starts the daemon',
  ]);
  expect(messageIn(await session("fifth").start())).toContain("this session is NOT guarded");
  expect([pidOf(), existsSync(join(home.paths.logs, "hook-start"))]).toEqual([undefined, false]);
});

it("a daemon that does not start is tried again only after half a minute, and the hook does not wait for it", async () => {
  await crash({ keepsSocket: true });
  const guards = readFileSync(home.paths.guards, "utf8");
  writeFileSync(home.paths.guards, guards.replace(/^script=.*$/m, `script=${join(home.repository, "README.md")}`));
  await session("sixth").edit("a.ts");
  const stamp = readFileSync(join(home.paths.logs, "hook-start"), "utf8");
  const again = await session("sixth").edit("a.ts");
  expect(messageIn(again)).toContain('"sylk up" starts the daemon');
  expect(readFileSync(join(home.paths.logs, "hook-start"), "utf8")).toBe(stamp);
});

describe("opencode, whose plugin asks the daemon itself", () => {
  type Hooks = Readonly<Record<string, (input: object, output?: object) => Promise<void>>>;
  type Plugin = { readonly Sylk: (given: { directory: string; client: object }) => Promise<Hooks> };
  const toasts: string[] = [];
  async function opencode(): Promise<Hooks> {
    const { code, stderr } = await home.sylk(["install", "opencode", "--yes"]);
    if (code !== 0) throw new Error(stderr);
    toasts.length = 0;
    const file = join(home.repository, ".opencode", "plugins", "sylk.js");
    const { Sylk } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Plugin;
    const showToast = async ({ body }: { body: { message: string } }) => toasts.push(body.message);
    return Sylk({ directory: home.repository, client: { tui: { showToast } } });
  }
  const edit = (hooks: Hooks, sessionID: string): Promise<unknown> =>
    hooks["tool.execute.before"]!(
      { tool: "edit", sessionID, callID: "1" },
      { args: { filePath: join(home.repository, "held.ts") } },
    ).then(
      () => "went through",
      (error: unknown) => (error as Error).message,
    );

  it("starts the daemon after a crash; the edit is judged, or said on the screen not to be", async () => {
    const hooks = await opencode();
    const gone = await crash({ keepsSocket: false });
    const first = await edit(hooks, "ses_1");
    if (first === "went through")
      // It took longer than an edit waits, on a busy machine.
      expect(toasts).toEqual([expect.stringMatching(/NOT guarded.+being started, and the next call is guarded$/)]);
    else expect([first, toasts]).toEqual([expect.stringContaining('"held.ts" is held by '), []]);
    await isBack(gone);
    expect(await edit(hooks, "ses_1")).toContain('"held.ts" is held by ');
  });

  it('leaves it down after "sylk down", and says to the user and to the model that the edit was not guarded', async () => {
    const hooks = await opencode();
    await home.sylk(["down"]);
    expect(await edit(hooks, "ses_2")).toBe("went through");
    const said = expect.stringMatching(/^Sylk: this call was NOT guarded: .+; "sylk up" starts the daemon$/);
    const output = { system: [] as string[] };
    await hooks["experimental.chat.system.transform"]!({ sessionID: "ses_2" }, output);
    expect([toasts, output.system]).toEqual([[said], [said]]);
    expect(pidOf()).toBeUndefined();
  });
});
