/**
 * One hook, answered by the guard's operations.
 *
 *   refused (held, lost, too many)   -> deny
 *   could not be asked               -> as the user has set: a tool runs, and that is said and counted (degraded), and a
 *                                       commit is stopped, unless guard.edit and guard.commit say otherwise
 *
 * Each answer is reported: how long it took, for whom, and whether it guarded anything.
 */
import {
  DomainError,
  type AgentRef,
  type Caller,
  type ClientAdapterV1,
  type Credentials,
  type HookEvent,
  type HookHeaders,
  type HookSession,
  type HookVerdict,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { deliverMail, type Deliveries } from "./deliver-mail.ts";
import type { KeyedQueue } from "../../platform/keyed-queue/index.ts";
import { mirrorTask } from "./mirror-task.ts";
import { integrationLine, type IntegrationPorts } from "../statusline/index.ts";

export type HookOutcome = {
  readonly component: string;
  readonly agent: AgentRef | undefined;
  readonly outcome: "ok" | "degraded" | "failed" | "unguarded";
  readonly error?: string;
};
export type Guards = Readonly<Record<"edit" | "commit", "fail-open" | "fail-closed">>;
export type AnswerPorts = IntegrationPorts & {
  readonly guards: Guards;
  readonly deliveries: Deliveries;
  /** Whether guard.policy is strict where a tool runs. */
  readonly isStrict: (folder: string) => Promise<boolean>;
  /** Any hook notices when something that was installed is gone. */
  readonly examineInstalls: () => unknown;
  /** An agent's news of unguarded calls did not reach it. */
  readonly retell: (agent: AgentRef["id"]) => void;
  /** Writes of one agent are answered in turn: a call that was given up returns its news before the next one asks for it. */
  readonly turns?: KeyedQueue;
  /** Begins to measure; call the answer with how it ended. */
  readonly measureHook: () => (outcome: HookOutcome) => void;
};
type Asked = {
  readonly client: ClientAdapterV1;
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: HookHeaders;
  readonly token: string | undefined;
  /** Whether the launcher has given up: its session will not see the answer. */
  readonly isGone?: () => boolean;
  /** For a commit that went past the gate while no daemon was there. */
  readonly past?: { readonly at: number; readonly idempotencyKey: string };
};
type Answered = HookVerdict & {
  readonly by?: AgentRef | undefined;
  /** It went through, and its write targets are unknown. */
  readonly isUnguarded?: boolean;
};
type Of<Kind extends HookEvent["kind"]> = Extract<HookEvent, { readonly kind: Kind }>;

const mostNamed = 10;
/** As many paths as one announcement may name. */
const mostAnnounced = 500;
const silence: HookVerdict = { verdict: "allow" };
const mostSaid = 3;

export async function answerHook(asked: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  const report = ports.measureHook();
  const component = `hook/${asked.client.name}/${asked.event}`;
  let event: HookEvent | undefined;
  ports.examineInstalls();
  try {
    event = asked.client.readEvent(asked.event, asked.body, asked.headers);
    if (event === undefined) {
      report({ component, agent: undefined, outcome: "ok" });
      return silence;
    }
    const { by, isUnguarded = false, ...verdict } = await answer(event, asked, ports);
    report({ component, agent: by, outcome: isUnguarded ? "unguarded" : "ok" });
    return verdict;
  } catch (error) {
    if (!(error instanceof DomainError)) {
      report({ component, agent: undefined, outcome: "failed", error: String(error) });
      throw error;
    }
    if (isRefusal(error, event)) {
      report({ component, agent: undefined, outcome: "ok" });
      return { verdict: "deny", text: `Sylk: ${error.message} (${error.code})` };
    }
    report({ component, agent: undefined, outcome: "degraded", error: `${error.code}: ${error.message}` });
    return unguarded(error, event, await guardsFor(event, ports));
  }
}

async function answer(event: HookEvent, asked: Asked, ports: AnswerPorts): Promise<Answered> {
  switch (event.kind) {
    case "session-start":
      return begin(event, asked, ports);
    case "write":
      return write(event, asked, ports);
    case "commit":
      return commit(event, asked, ports);
    case "committed":
      return committed(event, asked, ports);
    case "sign-of-life":
      return { ...silence, by: agentOf(await callerOf(event, asked.token, ports)) };
    case "shell":
      return shell(event, asked, ports);
    case "used":
      return used(event, asked, ports);
    case "turn-end":
      return endTurn(event, asked, ports);
    case "task":
      return mirror(event, asked, ports);
    case "session-end":
      return end(event, asked, ports);
  }
}

async function begin(
  { session, cwd }: Of<"session-start">,
  { token, client: { callsNameNoSession } }: Asked,
  ports: AnswerPorts,
): Promise<Answered> {
  const { key: sessionKey, client, pid } = session;
  const user = await ports.authenticate({ token }, "user");
  const input = { sessionKey, client, project: { path: cwd }, ...defined({ pid }) };
  const { line, agent } = await ports.dispatch("guard.start", input, user);
  const parts = await integrationLine({ token, projectPath: cwd, session }, ports);
  const key = callsNameNoSession ? [keyText(input)] : [];
  return {
    verdict: "tell",
    text: [line, parts, ...key].join("\n"),
    by: { id: agent.id, name: agent.name, client: agent.client },
  };
}

/** For the case that its process serves several sessions: then only the model can say which one calls. */
function keyText({
  sessionKey,
  client,
  project,
}: {
  readonly sessionKey: string;
  client: string;
  project: object;
}): string {
  const words = JSON.stringify({ call: "agent_register", input: { sessionKey, client, project } });
  return `[sylk] should its tools not know you: sylk_more ${words}`;
}

async function write(event: Of<"write">, asked: Asked, ports: AnswerPorts): Promise<Answered> {
  const caller = await callerOf(event, asked.token, ports);
  const { paths, patterns = [], unknown = [], programs = [], tools = [], gitCommands = [], command, call } = event;
  const wanted = { paths, patterns, unknown, programs, tools, gitCommands, ...defined({ command, call }) };
  const by = agentOf(caller);
  const answered = await inTurn(by, ports, async () => {
    const answer = await ports.dispatch("guard.write", wanted, caller);
    if (answer.unguarded.length > 0 && by !== undefined && asked.isGone?.() === true) ports.retell(by.id);
    return answer;
  });
  const { warning, unguarded, remembered = 0, refresh = [], news: told = [] } = answered;
  const seen = { by, isUnguarded: remembered > 0 };
  const news = [...told, unguardedText(unguarded) ?? [], refresh.length === 0 ? [] : staleCopyText(refresh)].flat();
  if (warning !== undefined) return { verdict: "warn", text: `Sylk: ${[warning, ...news].join("\nSylk: ")}`, ...seen };
  if (news.length === 0) return { ...silence, ...seen };
  const text = `Sylk: ${news.join("\nSylk: ")}`;
  if (by === undefined || asked.client.tell(asked.event, text) !== undefined) return { verdict: "tell", text, ...seen };
  ports.deliveries.keep(by.id, text);
  return { ...silence, ...seen };
}

function inTurn<T>(by: AgentRef | undefined, { turns }: AnswerPorts, work: () => Promise<T>): Promise<T> {
  return turns === undefined || by === undefined ? work() : turns([by.id], work);
}

function unguardedText(unguarded: readonly string[]): string | undefined {
  if (unguarded.length === 0) return undefined;
  const [count, last] = [unguarded.length, unguarded.slice(-mostSaid)];
  return `could not guard ${count === 1 ? "a tool call" : `${count} tool calls`} of yours (${last.join("; ")}): look whether it changed files of others ("sylk reservations")`;
}

function staleCopyText(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return `other agents have committed; read these files again before you continue: ${paths.slice(0, mostNamed).join(", ")}${more}`;
}

async function commit(event: Of<"commit">, { token, past }: Asked, ports: AnswerPorts): Promise<Answered> {
  const { cwd, paths, removes, fencingToken, actAs, session, ancestors, override } = event;
  const credentials: Credentials = { token, projectPath: cwd, actAs, session, ancestors, isCertain: true };
  const caller = await ports.authenticate(credentials, "agent");
  const input = {
    tree: cwd,
    paths,
    ...defined({ removes, fencingToken, override, overriddenAt: past?.at }),
  };
  const options = past === undefined ? {} : { idempotencyKey: past.idempotencyKey };
  const { warnings } = await ports.dispatch("guard.commit", input, caller, options);
  const by = agentOf(caller);
  return warnings.length === 0
    ? { ...silence, by }
    : { verdict: "warn", text: `Sylk: ${warnings.join("\nSylk: ")}`, by };
}

async function shell(event: Of<"shell">, { token }: Asked, ports: AnswerPorts): Promise<Answered> {
  const { cwd, actAs, session, ancestors } = event;
  const caller =
    session === undefined || actAs !== undefined
      ? await ports.authenticate({ token, projectPath: cwd, actAs, session, ancestors }, "agent")
      : await callerOf({ session, cwd }, token, ports);
  const { words } = await ports.dispatch("guard.confine", { cwd }, caller);
  const by = agentOf(caller);
  return words.length === 0 ? { ...silence, by } : { verdict: "tell", text: words.join("\n"), by };
}

async function used(event: Of<"used">, { token }: Asked, ports: AnswerPorts): Promise<Answered> {
  const caller = await callerOf(event, token, ports);
  const { read, wrote, ended = [], said } = event;
  const answer = await ports.dispatch("guard.used", { read, wrote, ended, ...defined({ said }) }, caller);
  const by = agentOf(caller);
  const news = [answer.blocked, unguardedText(answer.unguarded)].filter((text) => text !== undefined);
  return news.length === 0 ? { ...silence, by } : { verdict: "tell", text: `Sylk: ${news.join("\nSylk: ")}`, by };
}

/** Delivers, and releases nothing: the session continues. */
async function endTurn(event: Of<"turn-end">, { token }: Asked, ports: AnswerPorts): Promise<Answered> {
  const caller = await callerOf(event, token, ports);
  if (caller.kind !== "agent") return silence;
  await ports.dispatch("guard.used", { turnEnded: true }, caller);
  const text = await deliverMail(caller, event.again, ports);
  return text === undefined ? { ...silence, by: caller.agent } : { verdict: "tell", text, by: caller.agent };
}

async function mirror(event: Of<"task">, { token }: Asked, ports: AnswerPorts): Promise<Answered> {
  const caller = await callerOf(event, token, ports);
  if (caller.kind !== "agent") return silence;
  await mirrorTask(event, caller, ports.dispatch);
  return { ...silence, by: caller.agent };
}

async function committed(event: Of<"committed">, { token }: Asked, ports: AnswerPorts): Promise<Answered> {
  const { cwd, paths, commit: hash, subject, actAs, session, ancestors } = event;
  const caller = await ports.authenticate({ token, projectPath: cwd, actAs, session, ancestors }, "agent");
  for (let at = 0; at < paths.length; at += mostAnnounced) {
    const part = { commit: hash, paths: paths.slice(at, at + mostAnnounced), ...(subject === "" ? {} : { subject }) };
    await ports.dispatch("commit.announce", part, caller);
  }
  return { ...silence, by: agentOf(caller) };
}

/** A session that is over, or was never seen, has nothing to end. */
async function end({ session, cwd }: Of<"session-end">, { token }: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  const caller = await ports.authenticate({ token, projectPath: cwd, session }, "anyone").catch(unlessEnded);
  if (caller?.kind === "agent") await ports.dispatch("agent.end", { id: caller.agent.id }, caller);
  return silence;
}

type Situated = { readonly session: HookSession; readonly cwd: string };

/** The session's agent; a sub-agent is registered under its parent, and a session that continues after its end lives again. */
async function callerOf({ session, cwd }: Situated, token: Asked["token"], ports: AnswerPorts): Promise<Caller> {
  const credentials: Credentials = { token, projectPath: cwd, session };
  if (session.parent === undefined)
    return (await ports.authenticate(credentials, "agent").catch(unlessEnded)) ?? enrol(credentials, undefined, ports);
  const known = await ports.authenticate(credentials, "anyone").catch(unlessEnded);
  if (known?.kind === "agent") return known;
  await callerOf({ session: { key: session.parent, client: session.client }, cwd }, token, ports);
  return enrol(credentials, session.parent, ports);
}

async function enrol(credentials: Credentials, parent: string | undefined, ports: AnswerPorts): Promise<Caller> {
  const { session, projectPath, token } = credentials;
  const { key: sessionKey, client, pid } = session!;
  const user = await ports.authenticate({ token }, "user");
  const input = {
    sessionKey,
    client,
    project: { path: projectPath },
    ...defined({ pid, parent }),
  };
  await ports.dispatch("agent.register", input, user);
  return ports.authenticate(credentials, "agent");
}

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === "agent.ended")) throw error;
  return undefined;
}

function agentOf(caller: Caller): AgentRef | undefined {
  return caller.kind === "agent" ? caller.agent : undefined;
}

/** The guard answered, and the answer is no. */
function isRefusal({ family }: DomainError, event: HookEvent | undefined): boolean {
  if (event?.kind === "commit") return family !== "unavailable" && family !== "bug";
  const isAsked = event?.kind === "write" || event?.kind === "shell";
  return isAsked && ["conflict", "lost", "exhausted"].includes(family);
}

/** A strict project is fail-closed, whatever the daemon's settings are. */
async function guardsFor(event: HookEvent | undefined, { guards, isStrict }: AnswerPorts): Promise<Guards> {
  const strict = event?.kind === "write" && (await isStrict(event.cwd));
  return strict ? { ...guards, edit: "fail-closed" } : guards;
}

function unguarded({ message, code }: DomainError, event: HookEvent | undefined, guards: Guards): HookVerdict {
  const text = `Sylk did not guard this: ${message} (${code})`;
  if (event?.kind === "write" && guards.edit === "fail-closed")
    return { verdict: "deny", text: `Sylk: ${message} (${code}); the guard is fail-closed here` };
  if (event?.kind === "commit" && guards.commit === "fail-closed")
    return { verdict: "deny", text: `Sylk: ${message} (${code})` };
  if (event?.kind === "session-start")
    return { verdict: "tell", text: `Sylk: who else is here is unknown: ${message}` };
  return { verdict: "degraded", text };
}
