/**
 * One hook, answered by the guard's operations.
 *
 *   refused (held, lost, too many)   -> deny
 *   could not be asked               -> a tool runs, and that is said and counted (degraded); a commit is stopped
 */
import {
  DomainError,
  type Authenticate,
  type Caller,
  type ClientAdapterV1,
  type Credentials,
  type Dispatch,
  type HookEvent,
  type HookHeaders,
  type HookSession,
  type HookVerdict,
} from "../../contract/index.ts";

export type AnswerPorts = {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
};
type Asked = {
  readonly client: ClientAdapterV1;
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: HookHeaders;
  readonly token: string | undefined;
  /** For a commit that went past the gate while no daemon was there. */
  readonly past?: { readonly at: number; readonly idempotencyKey: string };
};
type Of<Kind extends HookEvent["kind"]> = Extract<HookEvent, { readonly kind: Kind }>;

const silence: HookVerdict = { verdict: "allow" };

export async function answerHook(asked: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  let event: HookEvent | undefined;
  try {
    event = asked.client.readEvent(asked.event, asked.body, asked.headers);
    return event === undefined ? silence : await answer(event, asked, ports);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return onError(error, event);
  }
}

async function answer(event: HookEvent, asked: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  switch (event.kind) {
    case "session-start":
      return begin(event, asked, ports);
    case "write":
      return write(event, asked, ports);
    case "commit":
      return commit(event, asked, ports);
    case "sign-of-life":
      await callerOf(event, asked.token, ports);
      return silence;
    case "session-end":
      return end(event, asked, ports);
  }
}

async function begin(
  { session, cwd }: Of<"session-start">,
  { token }: Asked,
  ports: AnswerPorts,
): Promise<HookVerdict> {
  const { key: sessionKey, client, pid } = session;
  const user = await ports.authenticate({ token }, "user");
  const input = { sessionKey, client, project: { path: cwd }, ...(pid === undefined ? {} : { pid }) };
  const { line } = await ports.dispatch("guard.start", input, user);
  return { verdict: "tell", text: line };
}

async function write(event: Of<"write">, asked: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  const caller = await callerOf(event, asked.token, ports);
  const { warning } = await ports.dispatch("guard.write", { paths: event.paths }, caller);
  return warning === undefined ? silence : { verdict: "warn", text: `Sylk: ${warning}` };
}

async function commit(event: Of<"commit">, { token, past }: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  const { cwd, paths, actAs, session, ancestors, override } = event;
  const credentials: Credentials = { token, projectPath: cwd, actAs, session, ancestors };
  const caller = await ports.authenticate(credentials, "agent");
  const input = {
    tree: cwd,
    paths,
    ...(override === undefined ? {} : { override }),
    ...(past === undefined ? {} : { overriddenAt: past.at }),
  };
  const options = past === undefined ? {} : { idempotencyKey: past.idempotencyKey };
  const { warnings } = await ports.dispatch("guard.commit", input, caller, options);
  return warnings.length === 0 ? silence : { verdict: "warn", text: `Sylk: ${warnings.join("\nSylk: ")}` };
}

/** A session that is over, or was never seen, has nothing to end. */
async function end({ session, cwd }: Of<"session-end">, { token }: Asked, ports: AnswerPorts): Promise<HookVerdict> {
  const caller = await ports.authenticate({ token, projectPath: cwd, session }, "anyone").catch(unlessEnded);
  if (caller?.kind === "agent") await ports.dispatch("agent.end", { id: caller.agent.id }, caller);
  return silence;
}

type Situated = { readonly session: HookSession; readonly cwd: string };

/** The session's agent; a sub-agent is registered under its parent, and a session that goes on after its end lives again. */
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
    ...(pid === undefined ? {} : { pid }),
    ...(parent === undefined ? {} : { parent }),
  };
  await ports.dispatch("agent.register", input, user);
  return ports.authenticate(credentials, "agent");
}

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === "agent.ended")) throw error;
  return undefined;
}

function onError(error: DomainError, event: HookEvent | undefined): HookVerdict {
  const text = `Sylk: ${error.message} (${error.code})`;
  const isRefusal = ["conflict", "lost", "exhausted"].includes(error.family);
  if (event?.kind === "write" && isRefusal) return { verdict: "deny", text };
  if (event?.kind === "commit") return { verdict: "deny", text };
  if (event?.kind === "session-start")
    return { verdict: "tell", text: `Sylk: who else is here is unknown: ${error.message}` };
  return { verdict: "degraded", text: `Sylk did not guard this: ${error.message} (${error.code})` };
}
