/** Every way into the daemon behind one function, so that a test can ask all of them the same. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { DomainError, operations, toErrorBody, type Operation, type OperationName } from "../../src/contract/index.ts";
import { createClient, fetchTransport, socketTransport, type Transport } from "../../src/surfaces/client/index.ts";
import { connectMcp } from "./connect-mcp.ts";
import { commandFor } from "./command-for.ts";
import { runSylkHere } from "./run-sylk-here.ts";
import { jsonOf, mainScript } from "./run-sylk.ts";
import type { ScratchDaemon } from "./scratch-daemon.ts";
import { requestFor, send, type Place } from "./wire.ts";

/** Whose call it is: an agent by its token, or the user, in a project, perhaps for an agent. */
export type Sender = { readonly token?: string; readonly project?: string; readonly actAs?: string };
export type Answer = {
  readonly ok: boolean;
  readonly body: unknown;
  /** What this way alone tells: HTTP's status, the command's exit code. */
  readonly status?: number;
  readonly exitCode?: number;
};
export type WayIn = {
  readonly name: "HTTP on TCP" | "HTTP on unix" | "client on TCP" | "client on unix" | "MCP on HTTP" | "MCP" | "CLI";
  call(name: OperationName, input: Readonly<Record<string, unknown>>, sender: Sender): Promise<Answer>;
};

export function waysInto(daemon: ScratchDaemon): AsyncDisposable & { readonly all: readonly WayIn[] } {
  const { port, paths, url } = daemon;
  const overHttp = connections((sender) => connectOverHttp(daemon, sender));
  const overStdio = connections((sender) => connectOverStdio(daemon, sender));
  return {
    all: [
      { name: "HTTP on TCP", call: plainHttp({ host: "127.0.0.1", port }, daemon) },
      { name: "HTTP on unix", call: plainHttp({ socketPath: paths.socket }, daemon) },
      { name: "client on TCP", call: typedClient(fetchTransport(url), daemon) },
      { name: "client on unix", call: typedClient(socketTransport(paths.socket), daemon) },
      { name: "MCP on HTTP", call: toolCall(overHttp.of) },
      { name: "MCP", call: toolCall(overStdio.of) },
      { name: "CLI", call: commandLine(daemon) },
    ],
    async [Symbol.asyncDispose]() {
      await overHttp.close();
      await overStdio.close();
    },
  };
}

function plainHttp(place: Place, { userToken, repository }: ScratchDaemon): WayIn["call"] {
  return async (name, input, sender) => {
    const terms = requestFor(operations[name], input);
    const headers = { ...headersOf(sender, userToken, repository), ...terms.headers };
    const { status, body } = await send(place, { ...terms, headers });
    return { ok: status === 200, status, body: JSON.parse(body) };
  };
}

function headersOf(
  { token, project, actAs }: Sender,
  userToken: string,
  repository: string,
): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token ?? userToken}`,
    ...(token === undefined ? { "sylk-project": encodeURIComponent(project ?? repository) } : {}),
    ...(actAs === undefined ? {} : { "sylk-agent": encodeURIComponent(actAs) }),
  };
}

function typedClient(transport: Transport, { userToken, repository }: ScratchDaemon): WayIn["call"] {
  return async (name, input, { token, project, actAs }) => {
    const identity =
      token === undefined ? { token: userToken, project: project ?? repository } : { token, project: undefined };
    const client = createClient({ transport, ...identity, actAs });
    try {
      return { ok: true, body: await client.call(name, input) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ok: false, body: toErrorBody(error) };
    }
  };
}

function toolCall(connected: (sender: Sender) => Promise<Client>): WayIn["call"] {
  return async (name, input, sender) => {
    const { mcp }: Operation = operations[name];
    const client = await connected(sender);
    const tool = mcp?.name ?? name.replaceAll(/[.-]/g, "_");
    const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: { ...input } });
    const [first] = content;
    if (first?.type !== "text" || JSON.stringify(structuredContent) !== first.text)
      throw new Error(`${tool} says one thing as text and another as structure`);
    return { ok: isError !== true, body: structuredContent };
  };
}

/** One connection per sender; a server process is not started for every call. */
function connections(connect: (sender: Sender) => Promise<Client>) {
  const known = new Map<string, Promise<Client>>();
  return {
    of(sender: Sender): Promise<Client> {
      const key = JSON.stringify(sender);
      const client = known.get(key) ?? connect(sender);
      known.set(key, client);
      return client;
    },
    async close() {
      for (const client of known.values()) await (await client).close();
    },
  };
}

function connectOverHttp({ url, userToken, repository }: ScratchDaemon, sender: Sender): Promise<Client> {
  return connectMcp(url, headersOf(sender, userToken, repository));
}

/** The user says by the token that it is the user: without one, a server process may only read. */
async function connectOverStdio({ env, repository, userToken }: ScratchDaemon, sender: Sender): Promise<Client> {
  const client = new Client({ name: "flows", version: "1" });
  const { options, variables } = identityOf(sender);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [mainScript, "mcp", ...options],
      env: { ...env, SYLK_TOKEN: userToken, ...variables },
      cwd: repository,
    }),
  );
  return client;
}

function commandLine({ env, repository }: ScratchDaemon): WayIn["call"] {
  return async (name, input, sender) => {
    const { options, variables } = identityOf(sender);
    const words = [...commandFor(name, input), "--json", ...options];
    const run = await runSylkHere(words, { env: { ...env, ...variables }, cwd: repository });
    const body = jsonOf<{ ok?: boolean; error?: unknown }>(run);
    // A provider that does not answer is an answer of the test, and bad news, which the exit code tells too.
    const wanted = name === "provider.test" && body.ok === false ? 7 : 0;
    return { ok: run.code === wanted && body.error === undefined, exitCode: run.code!, body };
  };
}

function identityOf({ token, project, actAs }: Sender) {
  return {
    options: [
      ...(project === undefined ? [] : ["--project", project]),
      ...(actAs === undefined ? [] : ["--as", actAs]),
    ],
    variables: token === undefined ? {} : { SYLK_TOKEN: token },
  };
}
