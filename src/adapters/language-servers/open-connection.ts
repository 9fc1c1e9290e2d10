/**
 * A started server and the conversation with it: every request has a deadline, and ends with the server.
 *
 *   program -> initialize -> initialized -> requests … -> shutdown, exit -> its group is gone
 *
 * The server may ask, too. It gets no configuration, changes no file, and shows nothing to anyone.
 */
import { pathToFileURL } from "node:url";
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  NullLogger,
  ResponseError,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { InitializeParams } from "vscode-languageserver-protocol";
import * as z from "zod";
import type { Clock } from "../../platform/clock/index.ts";
import { version } from "../../platform/version.ts";
import type { RunningProgram } from "../processes/index.ts";
import type { ServerDefinition } from "./known-servers.ts";
import { BoundedMessageReader } from "./read-messages.ts";
import { ServerFailure } from "./server-failure.ts";
import { createServerReports, type ServerReports } from "./server-reports.ts";

export type ServerLimits = {
  /** Of one message. */
  readonly maxMessageBytes: number;
  readonly startMs: number;
  readonly requestMs: number;
};
export type Connection = {
  readonly reports: ServerReports;
  readonly hasPullDiagnostics: boolean;
  ask(method: string, params: object): Promise<unknown>;
  tell(method: string, params: object): void;
  /** The reason, once it has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
};

const politeMs = 2_000;
const Initialized = z.object({ capabilities: z.looseObject({ diagnosticProvider: z.unknown().optional() }) });

export async function openConnection(
  program: RunningProgram,
  tree: string,
  definition: ServerDefinition & { readonly isSandboxed: boolean },
  { clock, limits }: { readonly clock: Clock; readonly limits: ServerLimits },
): Promise<Connection> {
  const { name } = definition;
  const reader = new BoundedMessageReader(program.stdout, limits.maxMessageBytes);
  const connection = createMessageConnection(reader, new StreamMessageWriter(program.stdin), NullLogger);
  const reports = createServerReports(connection, definition);
  const broken = Promise.withResolvers<string>();
  const ended = Promise.race([program.ended, broken.promise]);
  connection.onError(([error]) => broken.resolve(error.message));
  // Without a reader it cannot be spoken to: it is ended as if it had ended itself.
  void broken.promise.then(() => program.stop());

  const uri = pathToFileURL(tree).href;
  connection.onRequest("workspace/configuration", ({ items }: { items?: unknown }) =>
    Array.isArray(items) ? items.map(() => null) : [],
  );
  connection.onRequest("workspace/workspaceFolders", () => [{ uri, name: "tree" }]);
  connection.onRequest("workspace/applyEdit", () => ({ applied: false, failureReason: "files are read-only here" }));
  for (const method of ["client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create"])
    connection.onRequest(method, () => null);
  connection.onRequest("window/showMessageRequest", () => null);
  connection.listen();

  const waiting = new Set<(failure: ServerFailure) => void>();
  let end: string | undefined;
  void ended.then((reason) => {
    end = reason;
    connection.dispose();
    for (const reject of waiting) reject(endedFailure(reason));
  });
  const endedFailure = (reason: string): ServerFailure =>
    new ServerFailure(`${name} ended in the middle of the question (${reason})`, "ended");

  async function ask(method: string, params: object, withinMs: number): Promise<unknown> {
    if (end !== undefined) throw endedFailure(end);
    const cancellation = new CancellationTokenSource();
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => {}); // it may come after the answer
    waiting.add(failure.reject);
    const timer = clock.after(withinMs, () => {
      failure.reject(new ServerFailure(`${name} did not answer within ${Math.ceil(withinMs / 1_000)} s`, "late"));
      cancellation.cancel();
    });
    try {
      const answer = connection.sendRequest(method, params, cancellation.token);
      return await Promise.race([failure.promise, answer.catch(refused)]);
    } finally {
      timer.cancel();
      waiting.delete(failure.reject);
    }
  }

  /** A connection that was closed rejects what is open: then the server's end is the reason, and it is on its way. */
  function refused(error: unknown): Promise<never> {
    if (!(error instanceof ResponseError) || error.code === ErrorCodes.PendingResponseRejected)
      return new Promise(() => {});
    throw new ServerFailure(`${name} refused the question: ${error.message.slice(0, 300)}`, "failed", error);
  }

  async function stop(): Promise<void> {
    await ask("shutdown", {}, politeMs).then(
      () => connection.sendNotification("exit"),
      () => {}, // it is ended anyway
    );
    await program.stop();
  }

  try {
    const params = initializeParams(uri, definition);
    const said = Initialized.safeParse(await ask("initialize", params, limits.startMs));
    if (!said.success) throw new ServerFailure(`${name} answered "initialize" with something else`);
    await connection.sendNotification("initialized", {});
    return {
      reports,
      hasPullDiagnostics: (said.data.capabilities.diagnosticProvider ?? null) !== null,
      ask: (method, question) => ask(method, question, limits.requestMs),
      tell: (method, question) => void connection.sendNotification(method, question).catch(() => {}), // its end says so
      ended,
      stop,
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function initializeParams(
  uri: string,
  { initializationOptions, isSandboxed }: ServerDefinition & { readonly isSandboxed: boolean },
): InitializeParams {
  return {
    // A server ends when this process does; a sandbox has processes of its own, and ends with us anyway.
    processId: isSandboxed ? null : process.pid,
    clientInfo: { name: "sylk", version },
    // oxlint-disable-next-line typescript/no-deprecated -- the protocol still requires it, and older servers read nothing else
    rootUri: uri,
    workspaceFolders: [{ uri, name: "tree" }],
    ...(initializationOptions === undefined ? {} : { initializationOptions }),
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      window: { workDoneProgress: true },
      workspace: { configuration: true, workspaceFolders: true, didChangeWatchedFiles: {} },
      textDocument: {
        synchronization: {},
        hover: { contentFormat: ["markdown", "plaintext"] },
        definition: { linkSupport: true },
        references: {},
        diagnostic: {},
        publishDiagnostics: { versionSupport: true },
      },
      experimental: { serverStatusNotification: true },
    },
  };
}
