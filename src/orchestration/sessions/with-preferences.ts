/** What a session prefers holds for the runs, graphs and questions that are started in it and do not say otherwise. */
import { type Caller, DomainError, type Preference, type SessionId } from "../../contract/index.ts";
import { locateProject, type ProjectRepository } from "../../coordination/registry/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { focusClient } from "./focus-client.ts";
import type { SessionRepository } from "./store.ts";

type Preferences = Readonly<Partial<Record<Preference, string>>>;
type StartHandlers<Tx> = OperationHandlers<Tx, "run.start" | "dag.run" | "ask.send">;
export type PreferencePorts = {
  readonly reader: { readonly projects: ProjectRepository; readonly sessions: SessionRepository };
  readonly preferences: (session: SessionId) => Promise<Preferences>;
};
type Wanted = {
  readonly project: { readonly path: string };
  readonly session?: SessionId | undefined;
  readonly provider?: string | undefined;
};

/** The same handlers, but what they start gets the preferences of its session. */
export function withPreferences<Tx, All extends StartHandlers<Tx>>(
  handlers: All & StartHandlers<Tx>,
  { reader, preferences }: PreferencePorts,
): All {
  /** Of the session it is started in; of the project where that session is yet to be made. */
  async function preferred({ session, project: { path } }: Wanted, lookedAt?: Caller): Promise<Preferences> {
    const project = (await reader.projects.findByPath((await locateProject(path)).path))?.id;
    const focused = lookedAt && project && (await reader.sessions.focusOf(focusClient(lookedAt, project)));
    const id = session ?? focused;
    if (id !== undefined && (await reader.sessions.find(id)) !== undefined) return preferences(id);
    return project === undefined ? {} : reader.sessions.promotedPreferences(project);
  }
  const providerOf = (input: Wanted, { provider }: Preferences) =>
    input.provider === undefined && provider !== undefined ? { provider } : {};

  return {
    ...handlers,
    async "run.start"(input, call) {
      const wishes = await preferred(input);
      const budget = input.budget === undefined && wishes.budget !== undefined ? { budget: Number(wishes.budget) } : {};
      const chosen = providerOf(input, wishes);
      return tellingWhose(chosen, handlers["run.start"]({ ...input, ...chosen, ...budget }, call));
    },
    async "dag.run"(input, call) {
      const chosen = providerOf(input, await preferred(input));
      return tellingWhose(chosen, handlers["dag.run"]({ ...input, ...chosen }, call));
    },
    async "ask.send"(input, call) {
      const chosen = providerOf(input, await preferred(input, call.caller));
      return tellingWhose(chosen, handlers["ask.send"]({ ...input, ...chosen }, call));
    },
  };
}

/** Nobody named the provider just now: who is refused because of it is told where it comes from. */
async function tellingWhose<T>({ provider }: Preferences, started: Promise<T>): Promise<T> {
  return started.catch((error: unknown) => {
    const isAboutIt = error instanceof DomainError && error.code === "provider.not-found";
    if (!isAboutIt || provider === undefined) throw error;
    throw new DomainError(
      "provider.not-found",
      `${error.message}. The session or its project prefers it: "sylk session unset provider" or "sylk session promote provider --withdraw" changes that`,
      { details: error.details, cause: error },
    );
  });
}
