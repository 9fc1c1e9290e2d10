/**
 * A stand-in for a client that Sylk knows by MCP alone: a process of its own, which starts `sylk mcp`, registers its agent by a tool call
 * and runs git in its shell. Neither a hook nor a variable names its session.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { within } from "./until.ts";
import { mainScript } from "./run-sylk.ts";
import type { ScratchDaemon } from "./scratch-daemon.ts";

type Committed = { readonly status: number | null; readonly stderr: string };
export type McpOnlyClient = AsyncDisposable & {
  readonly agent: string;
  tools(tool: string, input: object): Promise<Readonly<Record<string, unknown>>>;
  /** `git commit` of what is staged. */
  commit(): Promise<Committed>;
};

/** Reads orders from its standard input, a line of JSON each. */
const program = `
const { spawn, spawnSync } = require("node:child_process");
const lines = require("node:readline").createInterface({ input: process.stdin });
const [main, ...commit] = process.argv.slice(1);
const server = spawn(process.execPath, [main, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
server.stdout.pipe(process.stdout);
console.log(JSON.stringify({ server: server.pid }));
lines.on("line", (line) => {
  const order = JSON.parse(line);
  if (order.jsonrpc) return server.stdin.write(line + "\\n");
  const { status, stderr } = spawnSync("sh", ["-c", 'git "$@"', "git", ...commit], { encoding: "utf8" });
  console.log(JSON.stringify({ status, stderr }));
});
lines.on("close", () => server.stdin.end());
`;

export async function mcpOnlyClient({ repository, env }: ScratchDaemon, sessionKey: string): Promise<McpOnlyClient> {
  const commit = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid", "commit", "-q", "-m", "a change"];
  const child = spawn(process.execPath, ["-e", program, "--", mainScript, ...commit], {
    cwd: repository,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = saidBy(child);
  const send = (order: object): void => void child.stdin.write(`${JSON.stringify(order)}\n`);
  let calls = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    const id = ++calls;
    send({ jsonrpc: "2.0", id, method, params });
    return (await said((line) => line.id === id)).result;
  };
  const tools: McpOnlyClient["tools"] = async (call, input) => {
    const answer = await ask("tools/call", { name: "sylk_more", arguments: { call, input } });
    return (answer as { structuredContent: Readonly<Record<string, unknown>> }).structuredContent;
  };
  const { server } = await said((line) => "server" in line);
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const project = { path: repository };
  const { agent } = await tools("agent_register", { sessionKey, client: "other", project, pid: server });
  return {
    agent: (agent as { id: string }).id,
    tools,
    async commit() {
      send({ order: "commit" });
      return (await said((line) => "status" in line)) as Committed;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await within("the client ends", once(child, "exit"));
    },
  };
}

type Line = Readonly<Record<string, unknown>>;

/** The next line that is looked for. */
function saidBy(child: ChildProcess): (wanted: (line: Line) => boolean) => Promise<Line> {
  const lines: Line[] = [];
  let wake = (): void => {};
  createInterface({ input: child.stdout! }).on("line", (text) => {
    lines.push(JSON.parse(text) as Line);
    wake();
  });
  return (wanted) =>
    within(
      "the client answers",
      (async () => {
        for (;;) {
          const at = lines.findIndex(wanted);
          if (at !== -1) return lines.splice(at, 1)[0]!;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      })(),
    );
}
