/**
 * What a server says without being asked: whether it still loads the project, what is wrong with the project's set-up, and
 * the diagnostics of open files. All of it is bounded: a server may talk for ever.
 */
import { fileURLToPath } from "node:url";
import { basename } from "node:path";
import type { MessageConnection } from "vscode-jsonrpc/node";
import * as z from "zod";
import type { ServerDefinition } from "./known-servers.ts";

export type ServerReports = {
  /** Whether the project is loaded, as far as the server tells. */
  isLoaded(): boolean;
  /** Why the project may be loaded only in part. */
  trouble(): string | undefined;
  /** Diagnostics that were sent for a file since `expect` was called for it; as they came. */
  published(uri: string): unknown;
  /** From now on diagnostics of this file are kept; what was sent before is forgotten. */
  expect(uri: string): void;
  forget(uri: string): void;
  /** Called at each report, until the returned function is called. */
  onReport(listener: () => void): () => void;
};

const mostKept = 200;
const Progress = z.object({ token: z.union([z.string(), z.number()]), value: z.looseObject({ kind: z.string() }) });
const Status = z.object({
  health: z.string().optional(),
  quiescent: z.boolean().optional(),
  message: z.string().optional(),
});
const Shown = z.object({ type: z.number(), message: z.string() });
const Published = z.object({ uri: z.string(), diagnostics: z.array(z.looseObject({})) });
const errorType = 1;

export function createServerReports(
  connection: MessageConnection,
  { ready, projectFiles }: ServerDefinition,
): ServerReports {
  const working = new Set<string | number>();
  const expected = new Map<string, unknown>();
  const configuration = new Map<string, string>();
  const listeners = new Set<() => void>();
  let isQuiescent = ready === undefined;
  let status: string | undefined;
  let shown: string | undefined;

  const on = <T>(method: string, schema: z.ZodType<T>, take: (said: T) => void): void =>
    void connection.onNotification(method, (params: unknown) => {
      const said = schema.safeParse(params);
      if (!said.success) return; // not what the protocol names: nothing is known from it
      take(said.data);
      for (const listener of listeners) listener();
    });
  on("$/progress", Progress, ({ token, value: { kind } }) => {
    if (kind === "begin" && working.size < mostKept) working.add(token);
    else if (kind === "end") working.delete(token);
  });
  on("experimental/serverStatus", Status, ({ health = "ok", quiescent = true, message = "" }) => {
    isQuiescent = quiescent;
    status = health === "ok" ? undefined : short(message || health);
  });
  on("window/showMessage", Shown, ({ type, message }) => {
    if (type === errorType) shown = short(message);
  });
  on("textDocument/publishDiagnostics", Published, ({ uri, diagnostics }) => {
    if (expected.has(uri)) expected.set(uri, diagnostics);
    const file = nameOf(uri);
    if (!projectFiles.includes(file)) return;
    const first = diagnostics.find(({ severity }) => severity === undefined || severity === errorType);
    if (first === undefined) configuration.delete(uri);
    else if (configuration.size < mostKept) configuration.set(uri, `${file}: ${short(String(first.message))}`);
  });

  return {
    isLoaded: () => isQuiescent && working.size === 0,
    trouble: () => status ?? [...configuration.values()][0] ?? shown,
    published: (uri) => expected.get(uri),
    expect: (uri) => void expected.set(uri, undefined),
    forget: (uri) => void expected.delete(uri),
    onReport(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function nameOf(uri: string): string {
  try {
    return basename(fileURLToPath(uri));
  } catch {
    return ""; // not a file
  }
}

function short(text: string): string {
  return text.split("\n")[0]!.slice(0, 300);
}
