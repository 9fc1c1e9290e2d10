/** A language server from its start until it has answered a question about the whole project, measured from outside. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { cpuSecondsOf, type TreeUsage, watchMemory } from "../processes/measure-tree.ts";
import { exitOf } from "../processes/run-child.ts";

/** Files that are open at a time; with all of them open it checks none in five minutes. */
const atOnce = 50;

type Plan = {
  readonly argv: readonly [string, ...string[]];
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files of the project; the first one opens it. */
  readonly files: readonly [string, ...string[]];
  readonly symbol: string;
};

/** symbols: it has found a symbol of the project; diagnostics: it has checked each of the files. */
type Stages = { readonly symbols: TreeUsage; readonly diagnostics: TreeUsage };

export async function askLanguageServer(plan: Plan): Promise<Stages> {
  const startedAt = performance.now();
  const [program, ...args] = plan.argv;
  const server = spawn(program, args, { cwd: plan.tree, env: plan.env, stdio: ["pipe", "pipe", "ignore"] });
  const gone = exitOf(server);
  const memory = watchMemory(server);
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const usage = (): TreeUsage => ({
    cpuSeconds: cpuSecondsOf(server.pid!),
    seconds: (performance.now() - startedAt) / 1_000,
    peakMb: memory.peakMb(),
  });
  try {
    connection.onRequest(() => null);
    connection.listen();
    const ended = gone.then((code) => Promise.reject(new Error(`${program} ended with ${code}`)));
    const stages = await Promise.race([converse(plan, connection, usage), ended]);
    await connection.sendRequest("shutdown").catch(() => {});
    await connection.sendNotification("exit").catch(() => {});
    return stages;
  } finally {
    memory.stop();
    server.kill();
    await gone;
    connection.dispose();
  }
}

async function converse(plan: Plan, connection: MessageConnection, usage: () => TreeUsage): Promise<Stages> {
  const { tree, files, symbol } = plan;
  const uriOf = (file: string): string => pathToFileURL(join(tree, file)).href;
  const unchecked = new Map<string, () => void>();
  connection.onNotification("textDocument/publishDiagnostics", ({ uri }: { uri: string }) => unchecked.get(uri)?.());
  const open = (file: string): Promise<void> => {
    const text = readFileSync(join(tree, file), "utf8");
    const textDocument = { uri: uriOf(file), languageId: "typescript", version: 1, text };
    return connection.sendNotification("textDocument/didOpen", { textDocument });
  };
  const rootUri = pathToFileURL(tree).href;
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "tree" }],
    capabilities: {
      workspace: { symbol: {}, workspaceFolders: true },
      textDocument: { publishDiagnostics: { versionSupport: true } },
    },
    initializationOptions: { disableAutomaticTypingAcquisition: true, tsserver: { useSyntaxServer: "never" } },
  });
  await connection.sendNotification("initialized", {});
  const [first, ...others] = files;
  await open(first);
  const found = await connection.sendRequest<readonly unknown[] | null>("workspace/symbol", { query: symbol });
  if (found === null || found.length === 0)
    throw new Error(`the server knows no ${symbol}: it did not load the project`);
  const symbols = usage();
  for (let from = 0; from < others.length; from += atOnce) {
    const now = others.slice(from, from + atOnce);
    const checked = now.map((file) => new Promise<void>((resolve) => unchecked.set(uriOf(file), resolve)));
    for (const file of now) await open(file);
    await Promise.all(checked);
    unchecked.clear();
    for (const file of now)
      await connection.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf(file) } });
  }
  return { symbols, diagnostics: usage() };
}
