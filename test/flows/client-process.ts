/**
 * A process that stands in for Claude Code's: hooks and shell commands are its children, so that the tree of processes is the
 * client's. It does what a line on its standard input says and tells how that ended.
 *
 *   claude ─ sh -c <hook> ─ sh sylk-hook            hook: waited for
 *          └ sh -c <command> (a session of its own)  tool: left alone, as a command in the background
 */
import { startProcess } from "./run-sylk.ts";
import { asRead, hookClient, type HookClient, type HookRun, type runShell } from "./hook-client.ts";
import type { ScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";

const program = `
process.title = "claude";
const { spawn } = require("node:child_process");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, kind, command, input, env, cwd } = JSON.parse(line);
  const isTool = kind === "tool";
  const child = spawn("sh", ["-c", command], { env, cwd, detached: isTool, stdio: isTool ? "ignore" : "pipe" });
  const tell = (what) => process.stdout.write(JSON.stringify({ id, ...what }) + "\\n");
  if (isTool) return tell({ pid: child.pid });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  child.on("close", (code) => tell({ code, ...said }));
  child.stdin.on("error", () => {}).end(input);
});
process.stdin.on("end", () => process.exit());
`;

export type ClientProcess = HookClient & {
  readonly pid: number;
  readonly run: typeof runShell;
  /** A command of its shell tool that runs on; answers with its process id. */
  tool(command: string): Promise<number>;
};
type Told = HookRun & { readonly id: number; readonly pid: number };

/** `withPid`: as versions do that name their process to what they start. */
export function startClient(
  world: Pick<ScratchHome, "env" | "repository">,
  session: string,
  { withPid, env: more = {} }: { readonly withPid: boolean; readonly env?: Readonly<Record<string, string>> },
): ClientProcess {
  const cwd = world.repository;
  const client = startProcess(process.execPath, ["-e", program], { env: world.env, cwd, input: "pipe" });
  const own = { ...world.env, ...more, CLAUDE_PID: withPid ? String(client.pid) : "" };
  let last = 0;
  const ask = async (order: object): Promise<Told> => {
    const id = ++last;
    client.child.stdin!.write(`${JSON.stringify({ id, cwd, ...order })}\n`);
    return until("the client tells how it ended", () => told(client.output()).find((one) => one.id === id));
  };
  const run: typeof runShell = async (command, input, env) => {
    const { code, stdout, stderr } = await ask({ kind: "hook", command, input: String(input), env });
    return asRead(command, { code, stdout, stderr });
  };
  return {
    ...hookClient({ session, repository: cwd, env: own, run }),
    pid: client.pid,
    run,
    async tool(command) {
      const env = { ...own, CLAUDE_CODE_SESSION_ID: session, CLAUDECODE: "1" };
      return (await ask({ kind: "tool", command, env })).pid;
    },
  };
}

function told(output: string): readonly Told[] {
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Told);
}
