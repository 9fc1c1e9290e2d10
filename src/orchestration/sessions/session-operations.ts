/** The operations on sessions for callers: they check the project and know each client's focus. */
import {
  DomainError,
  type AgentCaller,
  type Caller,
  type InputOf,
  type OutputOf,
  type PoolFigures,
  type Session,
  type SessionId,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Call } from "../../platform/operations/index.ts";
import { focusClient } from "./focus-client.ts";
import type { SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import type { Sessions, SessionValues } from "./sessions-port.ts";
import { unseal } from "./snapshot.ts";

export type SessionOperationPorts<Tx, Parts extends Record<string, SessionPart>> = {
  readonly sessions: Sessions<Tx, Parts>;
  readonly reader: SessionTx;
  /** Throws for a provider that is not configured: a preference for it would fail every later run. */
  readonly checkProvider: (provider: string) => Promise<unknown>;
  readonly poolFigures: () => PoolFigures;
  /** Reads the messages of the Guide. */
  readonly messages: (
    query: InputOf<"session.messages">,
    signal: AbortSignal | undefined,
  ) => Promise<OutputOf<"session.messages">>;
};

export function sessionOperations<Tx extends SessionTx, Parts extends Record<string, SessionPart>>({
  sessions,
  reader,
  checkProvider,
  poolFigures,
  messages,
}: SessionOperationPorts<Tx, Parts>) {
  async function ofCaller(id: SessionId, caller: Caller): Promise<Session> {
    const session = await sessions.get(id);
    if (caller.kind === "user" || caller.project.id === session.project) return session;
    throw new DomainError(
      "session.not-found",
      `There is no session ${id} in this project; "sylk session list" shows them`,
      { details: { id } },
    );
  }

  const byCall = ({ transact, caller, signal }: Call<Tx>) => ({ transact, caller, signal });
  const change =
    (what: "pause" | "resume" | "suspend") =>
    async ({ id }: { readonly id: SessionId }, call: Call<Tx>): Promise<{ session: Session }> => {
      await ofCaller(id, call.caller);
      return { session: await sessions[what](id, byCall(call)) };
    };

  async function detail(session: Session, caller: Caller): Promise<OutputOf<"session.get">["session"]> {
    const { id, project } = session;
    const { saved, content } = await savedOf(id, reader);
    const context = sessions.inMemory(id);
    const promoted = await reader.sessions.promotedPreferences(project);
    return {
      ...session,
      focused: (await reader.sessions.focusOf(focusClient(caller, project))) === id,
      workflow: await sessions.workflow(id),
      preferences: { ...promoted, ...(context?.preferences.all() ?? content?.context.preferences) },
      promoted: { ...promoted },
      topics: [...(context?.bus.topics ?? [])],
      saved,
    };
  }

  async function changed(id: SessionId, call: Call<Tx>, step: () => Promise<SessionValues>) {
    await ofCaller(id, call.caller);
    const { session, preferences, promoted } = await step();
    return { session, preferences: { ...preferences }, promoted: { ...promoted } };
  }

  return {
    pause: change("pause"),
    resume: change("resume"),
    suspend: change("suspend"),
    async create(
      { waitMs, ...wanted }: InputOf<"session.create">,
      call: Call<Tx> & { readonly caller: AgentCaller },
    ): Promise<OutputOf<"session.create">> {
      return { session: await sessions.create({ ...wanted, waitMs, project: call.caller.project.id }, byCall(call)) };
    },
    async list({ state, cursor, limit }: InputOf<"session.list">, caller: Caller): Promise<OutputOf<"session.list">> {
      const found = await sessions.list({ project: caller.project?.id, state, before: cursor, limit: limit + 1 });
      const items = await Promise.all(
        found.slice(0, limit).map(async (session) => ({ ...session, workflow: await sessions.workflow(session.id) })),
      );
      const focused = caller.project && (await reader.sessions.focusOf(focusClient(caller, caller.project.id)));
      return {
        items,
        ...(found.length > limit ? { nextCursor: items.at(-1)!.id } : {}),
        ...defined({ focused }),
      };
    },
    async get({ id }: InputOf<"session.get">, caller: Caller): Promise<OutputOf<"session.get">> {
      return { session: await detail(await ofCaller(id, caller), caller) };
    },
    async set({ id, name, value }: InputOf<"session.set">, call: Call<Tx>) {
      if (name === "provider") await checkProvider(value);
      return changed(id, call, () => sessions.set(id, { preferences: { [name]: value } }, byCall(call)));
    },
    unset: ({ id, name }: InputOf<"session.unset">, call: Call<Tx>) =>
      changed(id, call, () => sessions.set(id, { preferences: { [name]: undefined } }, byCall(call))),
    note: ({ id, name, text }: InputOf<"session.note">, call: Call<Tx>) =>
      changed(id, call, () =>
        sessions.set(id, { notes: { [name]: text.trim() === "" ? undefined : text } }, byCall(call)),
      ),
    promote: ({ id, name, withdraw }: InputOf<"session.promote">, call: Call<Tx>) =>
      changed(id, call, () => sessions[withdraw ? "withdraw" : "promote"](id, name, byCall(call))),
    async switch({ id, onBlur }: InputOf<"session.switch">, call: Call<Tx>): Promise<OutputOf<"session.switch">> {
      const { project } = await ofCaller(id, call.caller);
      return sessions.switch(id, focusClient(call.caller, project), { onBlur }, byCall(call));
    },
    async close({ id, failed, reason }: InputOf<"session.close">, call: Call<Tx>): Promise<OutputOf<"session.close">> {
      const { state } = await ofCaller(id, call.caller);
      const outcome = state === "created" ? { failed: true, reason: reason ?? "it was not used" } : { failed, reason };
      return { session: await sessions.close(id, outcome, byCall(call)) };
    },
    async messages(input: InputOf<"session.messages">, { caller, signal }: Call<Tx>) {
      await ofCaller(input.id, caller);
      return messages(input, signal);
    },
    async stats(caller: Caller): Promise<OutputOf<"session.stats">> {
      return { ...(await sessions.stats(caller.project?.id)), pool: poolFigures() };
    },
  };
}

async function savedOf(id: SessionId, { sessions }: SessionTx) {
  const snapshot = await sessions.findSnapshot(id);
  if (snapshot === undefined) return { saved: "never" as const };
  try {
    return { saved: "well" as const, content: unseal(snapshot) };
  } catch (error) {
    const isNewer = error instanceof DomainError && error.code === "session.snapshot-newer";
    return { saved: isNewer ? ("newer" as const) : ("damaged" as const) };
  }
}
