/**
 * A real engine with a real store in this process, served on a socket of its own, and things for calls to name.
 *
 * Its clock stands still: what is written to the store was written by a call, so one look at SQLite's version counter tells
 * whether a refused call changed anything.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Agent as Connections, request, type RequestOptions } from "node:http";
import { join } from "node:path";
import type { Agent, Caller, Dispatch, OperationName } from "../../src/contract/index.ts";
import { openDaemonHere } from "../flows/daemon-here.ts";
import { watchStore } from "../security/store-state.ts";

export type WireAnswer = { readonly status: number; readonly body: string };
export type FuzzWorld = AsyncDisposable & {
  readonly repository: string;
  readonly root: string;
  readonly document: OpenApi;
  readonly callers: { readonly agent: Caller; readonly user: Caller };
  readonly tokens: { readonly agent: string; readonly user: string };
  /** Ids of what there is, by prefix; those of the calling agent's own come first. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Some more of each kind. */
  furnish(): Promise<void>;
  dispatch: Dispatch;
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: Buffer): Promise<WireAnswer>;
  /**
   * What follows a call by itself is done: versions of files that guarded calls named are kept when history is asked, and
   * the code index reads files that have changed when it is asked, with events of its own.
   */
  settleFiles(): Promise<void>;
  /** Equal as long as nothing was changed. */
  state(): string;
};
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
};
export type OpenApiOperation = {
  readonly operationId: OperationName;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: object } } };
  readonly responses: Readonly<Record<string, unknown>>;
};

/** The clock stands still, so nothing that is held ends by itself. */
const manyEach = { SYLK_RESERVATIONS_MAX_PER_AGENT: "10000", SYLK_WORK_MAX_CLAIMS_PER_AGENT: "1000" };

export async function openFuzzWorld(): Promise<FuzzWorld> {
  const here = await openDaemonHere(manyEach);
  const { engine, userToken } = here;
  const { paths, repository, root } = here.home;
  const connections = new Connections({ keepAlive: true });
  const send: FuzzWorld["send"] = (method, path, headers, body) =>
    wire({ socketPath: paths.socket, agent: connections, method, path, headers }, body);
  const user = await engine.authenticate({ token: userToken, projectPath: repository, actAs: undefined }, "anyone");
  const ids: Record<string, readonly string[]> = {};
  const furnishMore = async (): Promise<string> => {
    const { token, ...fresh } = await furnish(engine.dispatch, user, repository);
    Object.assign(ids, fresh);
    return token;
  };
  const agentToken = await furnishMore();
  const store = watchStore(paths.database);
  const document = JSON.parse(
    (await send("GET", "/openapi.json", { authorization: `Bearer ${userToken}` })).body,
  ) as OpenApi;
  const agent = await engine.authenticate({ token: agentToken, projectPath: undefined, actAs: undefined }, "agent");
  return {
    repository,
    root,
    document,
    callers: { user, agent },
    async settleFiles() {
      await engine.dispatch("file.history", { limit: 1 }, agent);
      await engine.dispatch("code.files", { pattern: "*", limit: 1, waitMs: 60_000 }, agent);
    },
    tokens: { user: userToken, agent: agentToken },
    ids,
    furnish: async () => void (await furnishMore()),
    dispatch: engine.dispatch,
    send,
    state: () => `${store.version()} ${digestOf(join(paths.home, "providers.json"))}`,
    async [Symbol.asyncDispose]() {
      connections.destroy();
      store[Symbol.dispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

/** Some of each kind that calls can name: held, free, of the caller and of another, of one that has ended. */
async function furnish(dispatch: Dispatch, user: Caller, repository: string) {
  const register = (sessionKey: string) =>
    dispatch("agent.register", { sessionKey, client: "other", project: { path: repository } }, user);
  const [heron, otter, ended] = [await register("heron"), await register("otter"), await register("gone")];
  await dispatch("agent.end", { id: ended.agent.id }, user);
  const [wrk, rsv]: [string[], string[]] = [[], []];
  for (const [index, owner] of [heron, heron, heron, otter].entries()) {
    const caller = callerOf(owner.agent);
    const { workItem } = await dispatch("work-item.create", { title: "Something to name" }, caller);
    if (index === 0) await dispatch("work-item.claim", { id: workItem.id }, caller).catch(() => {}); // holds enough
    const terms = { paths: [`${owner.agent.name}/${workItem.id}.ts`], ttlMs: 1_800_000 };
    const reserved = await dispatch("reservation.acquire", terms, caller).catch(() => undefined); // holds enough
    wrk.push(workItem.id);
    if (reserved !== undefined) rsv.push(reserved.reservation.id);
  }
  const { session } = await dispatch("session.create", { name: "fuzz" }, callerOf(heron.agent));
  return { token: heron.token, agt: [heron, otter, ended].map(({ agent }) => agent.id), wrk, rsv, ses: [session.id] };
}

function callerOf({ id, name, client, project, tree }: Agent): Caller {
  return { kind: "agent", agent: { id, name, client }, project, tree };
}

function wire(terms: RequestOptions, body: Buffer | undefined): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(terms, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    outgoing.on("error", reject);
    if (body !== undefined) outgoing.setHeader("content-length", body.length);
    outgoing.end(body);
  });
}

function digestOf(file: string): string {
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : "none";
}
