/**
 * `sylk mcp`: MCP over standard input and output, for clients that start a process.
 *
 *   client -> stdin -> checked lines -> tool call -> typed client -> daemon
 *
 * Standard output carries the protocol and nothing else; what goes wrong here is said on standard error.
 */
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  DomainError,
  type ClientSession,
  type OperationName,
  type OutputOf,
  type RawInputOf,
} from "../../contract/index.ts";
import { buildMcpServer } from "./build-server.ts";
import type { RunOperation, ToolPorts } from "./call-tool.ts";
import { checkedLines } from "./check-lines.ts";

/** The typed client's call; it knows the daemon's address and whom this process acts for. */
export type DaemonCall = <Name extends OperationName>(
  name: Name,
  input: RawInputOf<Name>,
  options: {
    readonly idempotencyKey?: string | undefined;
    /** The client session that makes the call, where the call says so. */
    readonly session?: ClientSession | undefined;
    /** Handle of the agent that makes the call, where the call gives one. */
    readonly handle?: string | undefined;
  },
) => Promise<OutputOf<Name>>;

/** Resolves when the client has closed its end. */
export async function serveMcpStdio({
  call,
  callSessionFields,
}: { readonly call: DaemonCall } & Pick<ToolPorts, "callSessionFields">): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const lines = checkedLines({
    answer: (refusal) => void process.stdout.write(`${JSON.stringify(refusal)}\n`),
    beforeEnd: () => settled(running),
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines));
  const runOne = runThrough(call);
  const run: RunOperation = (...terms) => {
    const result = runOne(...terms);
    running.add(result);
    return result.finally(() => running.delete(result));
  };
  serveStdio(() => buildMcpServer({ run, onDefect: reportDefect, callSessionFields }), {
    transport,
    onerror: reportLine,
  });
  await new Promise<void>((resolve) => {
    const teardown = transport.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has one callback and no listeners
    transport.onclose = () => {
      teardown?.();
      resolve();
    };
  });
}

function runThrough(call: DaemonCall): RunOperation {
  return async (name, input, { idempotencyKey, actAs, projectPath, session }) => {
    const handle = actAs?.startsWith("hdl_") === true ? actAs : undefined;
    if (actAs !== handle || projectPath !== undefined) throw fixedIdentity();
    return call(name, input as RawInputOf<typeof name>, { idempotencyKey, session, handle });
  };
}

/** A client that asks and closes its end at once still gets its answers. */
async function settled(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await Promise.allSettled(running);
    // The library hands a line on, and an answer out, within a turn of the loop each.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  } while (running.size > 0);
}

function fixedIdentity(): DomainError {
  const needed = "a process of its own";
  return new DomainError(
    "caller.denied",
    '"sylk mcp" acts for the agent and project it was started for; start another one, or use the HTTP endpoint /mcp',
    { details: { needed } },
  );
}

function reportDefect(error: unknown, where: string): string {
  const reference = randomUUID();
  process.stderr.write(`sylk mcp: defect ${reference} in ${where}: ${inspect(error)}\n`);
  return reference;
}

function reportLine(error: Error): void {
  process.stderr.write(`sylk mcp: ${error.message}\n`);
}
