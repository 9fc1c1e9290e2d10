/** A daemon of a few scripted answers behind the real dispatch, and what tests of the surface ask of it. */
import {
  DomainError,
  type AgentCaller,
  type AgentId,
  type CallSessionField,
  type Authenticate,
  type Caller,
  type Dispatch,
  type Handlers,
  type Project,
  type ProjectId,
} from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createLog } from "../../platform/log/index.ts";
import { createDispatch } from "../../platform/operations/index.ts";

const project: Project = { id: "prj_01jd8q3m7k4x9t2v5b8n1c" as ProjectId, name: "shop", path: "/srv/shop/.git" };

export const heron = agentCaller("heron");
export const otter = agentCaller("otter");
export const readyItems = { items: [{ id: "wrk_01jd8q3m7k4x9t2v5b8n1c", title: "Rate-limit POST /orders" }] };
export const daemonStatus = { running: true, pid: 7, version: "0.1.0" };
export const takenPath = "src/taken.ts";
export const conflict = new DomainError("reservation.conflict", `"${takenPath}" is reserved by otter; wait for it`, {
  details: { holder: otter.agent, suggestedAction: "wait" },
  retryAfterMs: 1200,
});

export type RecordedCall = {
  readonly name: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly idempotencyKey: string | undefined;
};

export type FakeDaemon = {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly calls: readonly RecordedCall[];
  readonly defects: readonly unknown[];
  readonly onDefect: (error: unknown, where: string) => string;
  readonly callSessionFields: readonly CallSessionField[];
};

export function fakeDaemon(): FakeDaemon {
  const calls: RecordedCall[] = [];
  const defects: unknown[] = [];
  const real = createDispatch({
    handlers: scripted as object as Handlers<unknown>,
    store: forgetfulStore as never,
    clock: systemClock(),
    log: createLog({ level: "error", write: (line) => defects.push(line), clock: systemClock() }),
    idempotencyKeepMs: 1,
    clean: (value) => value,
  });
  return {
    calls,
    defects,
    callSessionFields: [],
    onDefect: (error) => `ref-${defects.push(error)}`,
    authenticate,
    dispatch(name, input, caller, options) {
      calls.push({ name, input, caller, idempotencyKey: options?.idempotencyKey });
      return real(name, input, caller); // without the key: there is no store that could keep an answer
    },
  };
}

/** Keeps no answer, so that a repeated key runs again: what is tested here is that keys arrive. */
const idempotency = { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
const forgetfulStore = {
  reader: { idempotency },
  transact: (_lock: string, work: (tx: object) => Promise<unknown>) => work({ idempotency }),
};

const scripted = {
  "work-item.ready": async () => readyItems,
  "daemon.status": async () => daemonStatus,
  "reservation.acquire": async ({ paths }: { paths: readonly string[] }) => {
    if (paths.includes(takenPath)) throw conflict;
    return { reservation: { paths } };
  },
  "agent.list": async () => {
    throw new TypeError("a defect in a handler");
  },
};

const authenticate: Authenticate = async ({ token, actAs }, actor) => {
  if (token === "heron-token") return heron;
  if (token === "user-token") return actor !== "user" && actAs === "otter" ? otter : { kind: "user", project };
  if (token === "ended-token")
    throw new DomainError("agent.ended", "heron has ended", { details: { agent: heron.agent } });
  if (token === "broken-token") throw new TypeError("a defect in authentication");
  throw token === undefined
    ? new DomainError("token.missing", "Send a token")
    : new DomainError("token.unknown", "This token is not valid here");
};

function agentCaller(name: string): AgentCaller {
  const id = `agt_${name.padEnd(22, "0")}` as AgentId;
  return { kind: "agent", agent: { id, name, client: "other" }, project, tree: "/srv/shop" };
}
