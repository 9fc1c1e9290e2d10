/** A language server from its start until it has answered a question about the whole project, measured from outside. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
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
export async function askLanguageServer(
  plan: Plan,
): Promise<{ readonly symbols: TreeUsage; readonly diagnostics: TreeUsage }> {
  const { argv, tree, env, files, symbol } = plan;
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
  const workspace = { symbol: {}, workspaceFolders: true };
  const capabilities = { workspace, textDocument: { publishDiagnostics: { versionSupport: true } } };
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
  const uriOf = (file: string): string => pathToFileURL(join(tree, file)).href;
  const unchecked = new Map<string, () => void>();
  connection.onNotification("textDocument/publishDiagnostics", ({ uri }: { uri: string }) => unchecked.get(uri)?.());
  const open = (file: string): Promise<void> =>
    connection.sendNotification("textDocument/didOpen", {
      textDocument: {
        uri: uriOf(file),
        languageId: "typescript",
        version: 1,
        text: readFileSync(join(tree, file), "utf8"),
      },
    });
  const usage = (): TreeUsage => ({
    cpuSeconds: cpuSecondsOf(server.pid!),
    seconds: (performance.now() - startedAt) / 1_000,
    peakMb: memory.peakMb(),
  });
  const [first, ...others] = files;
  await open(first);
  const found = await connection.sendRequest<readonly unknown[] | null>("workspace/symbol", { query: symbol });
  if (found === null || found.length === 0)
    throw new Error(`${program} knows no ${symbol}: it did not load the project`);
  const symbols = usage();
  for (let from = 0; from < others.length; from += atOnce) {
    const now = others.slice(from, from + atOnce);
    const checked = now.map((file) => new Promise<void>((resolve) => unchecked.set(uriOf(file), resolve)));
    for (const file of now) await open(file);
    await Promise.race([Promise.all(checked), gone.then(() => Promise.reject(new Error(`${program} ended`)))]);
    for (const file of now) {
      unchecked.delete(uriOf(file));
      await connection.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf(file) } });
    }
  }
  const diagnostics = usage();
  memory.stop();
  await connection.sendRequest("shutdown").catch(() => {});
  await connection.sendNotification("exit").catch(() => {});
  server.kill();
  await gone;
  connection.dispose();
  return { symbols, diagnostics };
}
