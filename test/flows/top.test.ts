/** `sylk top`: the agents live on a terminal, one snapshot in a pipe. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TopSnapshot } from "../../src/surfaces/cli/top/take-snapshot.ts";
import { jsonOf, mainScript, startProcess, type SylkProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** The process that a terminal's own process has started on it. */
const childOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]!;
/** What the last drawing shows. */
const screenOf = (output: string): string => stripVTControlCharacters(output.split("\u001b[H").at(-1)!);

it("draws every change as it happens, says that it reconnects, and gives the terminal back", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  const heron = await daemon.register("heron");
  const top = startOnTerminal(daemon, ["top"], {}, "pipe");
  const shows = (what: string, text: string | RegExp) =>
    until(`it shows ${what}`, () => {
      const screen = screenOf(top.output());
      return typeof text === "string" ? screen.includes(text) : text.test(screen);
    });
  await shows("the agent", /heron +other +active/);
  const otter = await daemon.register("otter");
  await shows("who joined", /otter +other +active/);
  const { reservation } = await heron.client.call("reservation.acquire", { paths: ["src/a.ts"] });
  await shows("the hold", "holds src/a.ts");
  await otter.client.call("reservation.ask", { id: reservation.id });
  await shows("the wait", "waits for src/a.ts (heron)");
  const { workItem } = await heron.client.call("work-item.create", { title: "Rate-limit \u202eorders\u001b[31m" });
  await heron.client.call("work-item.claim", { id: workItem.id });
  await shows("the task", "Rate-limit \ufffdorders\ufffd[31m");
  await daemon.kill();
  await shows("that the daemon is gone", "reconnecting");
  expect(screenOf(top.output())).toContain("heron");
  await daemon.restart();
  await until("it is connected again", () => !screenOf(top.output()).includes("reconnecting"));
  await daemon.register("lynx");
  await shows("who joined later", "lynx");
  top.child.stdin!.write("q");
  const { code, stdout } = await top.ended;
  expect(code).toBe(0);
  expect(stdout.indexOf("\u001b[?1049h")).toBeLessThan(stdout.indexOf("heron"));
  expect(stdout.trimEnd().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  const lines = stdout.split("\u001b[H").flatMap((drawing) => stripVTControlCharacters(drawing).split(/\r?\n/));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

it("shows every column live in a wide window, the same facts in a narrow one after it was resized, and leaves by q [DASH-19]", async () => {
  await expectLive("columns", (repository) => {
    const preload = join(import.meta.dirname, "wide-window.ts");
    const env = { ...daemon.env };
    delete env["COLUMNS"];
    const top = startProcess(process.execPath, ["--import", preload, mainScript, "top"], {
      env,
      cwd: repository,
      input: "pipe",
    });
    return { top, widen: () => {}, narrow: () => void process.kill(top.pid, "SIGUSR2") };
  });
});

it("does the same on a real terminal", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  await expectLive("real", (repository) => {
    const top = startOnTerminal({ ...daemon, repository }, ["top"], {}, "pipe");
    const resize = (columns: number, rows: number): void => {
      const terminal = readlinkSync(`/proc/${childOf(top.pid)}/fd/1`);
      execFileSync("stty", ["-F", terminal, "cols", String(columns), "rows", String(rows)]);
    };
    return { top, widen: () => resize(260, 30), narrow: () => resize(70, 12) };
  });
});

type Window = { readonly top: SylkProcess; readonly widen: () => void; readonly narrow: () => void };

async function expectLive(name: string, open: (repository: string) => Window): Promise<void> {
  const repository = daemon.addRepository(name);
  const { agent, token } = await daemon.user.call("agent.register", {
    sessionKey: `${name}-heron`,
    name: "heron",
    client: "codex",
    project: { path: repository },
    pid: process.pid,
  });
  const client = daemon.clientOf({ token });
  const otter = await daemon.register("otter", { project: repository });
  const { top, widen, narrow } = open(repository);
  const shows = (what: string, text: RegExp) =>
    until(`it shows ${what}`, () => text.test(screenOf(top.output()))).catch((cause: unknown) => {
      throw new Error(screenOf(top.output()), { cause });
    });
  await shows("the agent", /heron/);
  widen();
  await shows(
    "all columns",
    /^agent +client +state +task +branch +terminal +holds +waits for +uncommitted +last activity$/m,
  );
  const { workItem } = await client.call("work-item.create", { title: "Limit the orders" });
  await client.call("work-item.claim", { id: workItem.id });
  await client.call("guard.write", { paths: ["a.ts"], call: "t1" });
  writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
  await client.call("guard.used", { wrote: ["a.ts"], ended: [{ call: "t1" }] });
  const { reservation } = await otter.client.call("reservation.acquire", { paths: ["src/b.ts"] });
  await client.call("reservation.ask", { id: reservation.id });
  const place = (await daemon.user.call("agent.get", { id: agent.id })).agent.terminal ?? `pid ${process.pid}`;
  await shows(
    "every fact in its column",
    new RegExp(
      `^heron +codex +active +Limit the orders +main +${place} +a\\.ts +src/b\\.ts \\(otter\\) +1: a\\.ts `,
      "m",
    ),
  );
  narrow();
  await shows(
    "the same without the table",
    /^heron {2}codex {2}active {2}main {2}.*[\r\n]+ {2}works on Limit the orders/m,
  );
  const lines = screenOf(top.output()).split(/[\r\n]+/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(70);
  expect(lines.length).toBeLessThanOrEqual(12);
  await shows(
    "holds, waits and uncommitted files",
    /holds a\.ts[\s\S]*waits for src\/b\.ts \(otter\)[\s\S]*uncommitted 1: a\.ts/,
  );
  top.child.stdin!.write("q");
  expect((await top.ended).code).toBe(0);
}

it("writes colours on a terminal, and none with NO_COLOR", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  await daemon.register("plover");
  for (const [env, isColoured] of [
    [{}, true],
    [{ NO_COLOR: "1" }, false],
  ] as const) {
    const top = startOnTerminal(daemon, ["top"], env, "pipe");
    await until("it is drawn", () => screenOf(top.output()).includes("plover"));
    top.child.stdin!.write("q");
    const { stdout } = await top.ended;
    expect(/\u001b\[[\d;]*m/.test(stdout)).toBe(isColoured);
  }
});

it("leaves by Ctrl-C with the terminal as it was", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  await daemon.register("ibis");
  const top = startOnTerminal(daemon, ["top"], {}, "pipe");
  await until("it is drawn", () => screenOf(top.output()).includes("ibis"));
  top.child.stdin!.write("\u0003");
  const { stdout } = await top.ended;
  expect(stdout.trimEnd().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
});

it("prints one snapshot in a pipe: all columns where there is room, all facts in 80 columns [DASH-19]", async () => {
  const wren = await daemon.register("wren");
  await wren.client.call("reservation.acquire", { paths: ["src/wren.ts", "src/nest.ts"] });
  const wide = await daemon.sylk(["top"], { env: { COLUMNS: "220" } });
  expect(wide.stdout).toMatch(
    /^agent +client +state +task +branch +terminal +holds +waits for +uncommitted +last activity$/m,
  );
  expect(wide.stdout).toMatch(/^wren +other +active +\? +main +\? +src\/wren\.ts \(\+1\) .*reserved src\/wren\.ts/m);
  const narrow = await daemon.sylk(["top", "--once"], { env: { COLUMNS: "80" } });
  expect(narrow.stdout).toMatch(/^wren +other +active +main/m);
  expect(narrow.stdout).toContain("holds src/wren.ts (+1)");
  expect(narrow.stdout).toMatch(/last: reserved src\/wren\.ts and 1 more \d+ s ago/);
  for (const line of narrow.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

it("gives the snapshot as JSON, of this project or of all [DASH-19]", async () => {
  const elsewhere = daemon.addRepository("elsewhere");
  await daemon.register("crow", { project: elsewhere });
  const namesIn = async (...args: string[]) =>
    jsonOf<TopSnapshot>(await daemon.sylk(["top", "--json", ...args])).agents.map(({ name }) => name);
  expect(await namesIn()).not.toContain("crow");
  expect(await namesIn("--all")).toContain("crow");
  const { stdout } = await daemon.sylk(["top", "--all"], { env: { COLUMNS: "80" } });
  expect(stdout).toMatch(/^crow +elsewhere/m);
});

it("puts what waits for the person first, with the command to type [DASH-19]", async () => {
  await daemon.user.call("dag.run", {
    name: "deploy",
    project: { path: daemon.repository },
    nodes: { deploy: { run: ["true"], approve: true } },
  });
  const { stdout } = await until("it waits", async () => {
    const run = await daemon.sylk(["top"]);
    return run.stdout.includes("waiting for you") && run;
  });
  expect(stdout.split("\n")[1]).toBe("1 decision waiting for you: sylk approvals");
});
