/** Applies a session's preferences to the runs, graphs and questions started in it, unless the call says otherwise. */
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

/** Wraps the handlers, so that new work gets the preferences of its session. */
export function withPreferences<Tx, All extends StartHandlers<Tx>>(
  handlers: All & StartHandlers<Tx>,
  { reader, preferences }: PreferencePorts,
): All {
  /** The preferences of the session; of the project, if the session does not exist yet. */
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
      return explainProvider(chosen, handlers["run.start"]({ ...input, ...chosen, ...budget }, call));
    },
    async "dag.run"(input, call) {
      const chosen = providerOf(input, await preferred(input));
      return explainProvider(chosen, handlers["dag.run"]({ ...input, ...chosen }, call));
    },
    async "ask.send"(input, call) {
      const chosen = providerOf(input, await preferred(input, call.caller));
      return explainProvider(chosen, handlers["ask.send"]({ ...input, ...chosen }, call));
    },
  };
}

/** The caller did not name the provider. So if it is unknown, the error says where it comes from. */
async function explainProvider<T>({ provider }: Preferences, started: Promise<T>): Promise<T> {
  return started.catch((error: unknown) => {
    const isAboutIt = error instanceof DomainError && error.code === "provider.not-found";
    if (!isAboutIt || provider === undefined) throw error;
    throw new DomainError(
      "provider.not-found",
      `${error.message}. The provider is a preference of the session or its project. Change it with "sylk session unset provider" or "sylk session promote provider --withdraw".`,
      { details: error.details, cause: error },
    );
  });
}
