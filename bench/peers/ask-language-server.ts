/** A language server from its start until it has answered a question about the whole project, measured from outside. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { cpuSecondsOf, type TreeUsage, watchMemory } from "../processes/measure-tree.ts";
import { exitOf } from "../processes/run-child.ts";

type Plan = {
  readonly argv: readonly [string, ...string[]];
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** A file of the project, which opens it. */
  readonly file: string;
  readonly symbol: string;
};

export async function untilSymbolsKnown({ argv, tree, env, file, symbol }: Plan): Promise<TreeUsage> {
  const startedAt = performance.now();
  const [program, ...args] = argv;
  const server = spawn(program, args, { cwd: tree, env, stdio: ["pipe", "pipe", "ignore"] });
  const gone = exitOf(server);
  const memory = watchMemory(server);
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onRequest(() => null);
  connection.listen();
  const rootUri = pathToFileURL(tree).href;
  const capabilities = { workspace: { symbol: {}, workspaceFolders: true } };
  const workspaceFolders = [{ uri: rootUri, name: "tree" }];
  const initializationOptions = { disableAutomaticTypingAcquisition: true, tsserver: { useSyntaxServer: "never" } };
  const folders = { rootUri, workspaceFolders };
  await connection.sendRequest("initialize", {
    processId: process.pid,
    ...folders,
    capabilities,
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  const uri = pathToFileURL(join(tree, file)).href;
  const text = readFileSync(join(tree, file), "utf8");
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "typescript", version: 1, text },
  });
  const found = await connection.sendRequest<readonly unknown[] | null>("workspace/symbol", { query: symbol });
  if (found === null || found.length === 0)
    throw new Error(`${program} knows no ${symbol}: it did not load the project`);
  const usage = { cpuSeconds: cpuSecondsOf(server.pid!), seconds: (performance.now() - startedAt) / 1_000 };
  const peakMb = memory.stop();
  await connection.sendRequest("shutdown").catch(() => {});
  await connection.sendNotification("exit").catch(() => {});
  server.kill();
  await gone;
  connection.dispose();
  return { ...usage, peakMb };
}
