/**
 * The Guide in the daemon, and the handlers of `sylk ask`.
 *
 *   ask.send -> session of the project -> its router -> Librarian, Archivalist (shared) | Architect, Inspector, Tester (a model)
 */
import { hash } from "node:crypto";
import { createGit } from "./adapters/git/index.ts";
import { answerByModel, answerFromCode, answerFromHistory } from "./agents/answering/index.ts";
import {
  type AgentCaller,
  type Caller,
  DomainError,
  type Handlers,
  type InputOf,
  type Message,
  type OperationName,
  type ProjectId,
  session as sessionContract,
  type SessionId,
} from "./contract/index.ts";
import { ensureProject, locateProject } from "./coordination/registry/index.ts";
import type { PromptPort } from "./orchestration/dispatch/index.ts";
import {
  askQuestion,
  createGuide,
  explainRoute,
  type Guide,
  guideMetrics,
  type SessionRouter,
  standardCards,
} from "./orchestration/guide/index.ts";
import { focusClient, newSession } from "./orchestration/sessions/index.ts";
import type { Call } from "./platform/operations/index.ts";
import type { Transaction } from "./platform/store/index.ts";
import type { Parts, Repositories, Terms } from "./compose-parts.ts";
import { filesKnownTo } from "./compose-role-ports.ts";
import type { Slash } from "./compose-slash.ts";

export type AskOperation = Extract<OperationName, `ask.${string}`>;
type AskHandlers = Pick<Handlers<Call<Repositories>>, AskOperation>;
/** Where a question was asked: it travels with the question, because a session may be asked from several trees. */
type Place = ProjectPlace & { readonly project: ProjectId | undefined };
type ProjectPlace = Awaited<ReturnType<typeof locateProject>>;

/** The Guide with those who answer in every session, and how a session's own router is made. */
export function composeGuide(parts: Parts, { clock, log, env }: Terms, prompts: PromptPort, slash: Slash) {
  const guide = createGuide({ clock, ids: parts.ids, log, record: async () => {} });
  const git = createGit(clock, env);
  guide.registerShared(
    standardCards.librarian,
    slash.taking(
      "librarian",
      answerFromCode({ treeOf: (message) => placeIn(message).tree, listFiles: filesKnownTo(git) }),
    ),
  );
  guide.registerShared(
    standardCards.archivalist,
    answerFromHistory({
      async search(message, words, limit) {
        const { project } = placeIn(message);
        return project === undefined
          ? []
          : parts.store.reader.archive.list({ project, words, before: undefined, limit });
      },
    }),
  );
  guide.watch("*.errors", ({ session, to, type, error }) => log.info("guide.unanswered", { session, to, type, error }));

  return {
    guide,
    /** The session's, made with its agents where there is none. */
    openRouter(session: SessionId): SessionRouter {
      const known = guide.get(session);
      if (known !== undefined) return known;
      const router = guide.open(session);
      for (const role of ["architect", "inspector", "tester"] as const)
        router.register(standardCards[role], slash.taking(role, answerByModel(role, { prompts, router })));
      return router;
    },
    close: () => guide.closeAll(),
  };
}

type AskPorts = {
  readonly guide: Guide;
  readonly openRouter: (session: SessionId) => SessionRouter;
  /** Of a session that is kept. */
  readonly routerOf: (session: SessionId) => Promise<SessionRouter>;
  readonly slash: Slash;
};

export function composeAsk(parts: Parts, { guide, openRouter, routerOf, slash }: AskPorts) {
  const { clock, store } = parts;
  /** Before its first answer a project's standing session is kept nowhere. */
  const routerFor = async (session: SessionId): Promise<SessionRouter> =>
    (await store.reader.sessions.find(session)) === undefined ? openRouter(session) : routerOf(session);
  const handlers: AskHandlers = {
    async "ask.send"(input, call) {
      const place = await placeFor(input, call.caller, parts);
      const session = await sessionFor(input.session, place, call.caller, parts);
      const router = await routerFor(session);
      return askQuestion(slash.direct(input, router), call, {
        clock,
        router,
        scope: place.path,
        ensureProject: (tx) => ensureStanding(session, place, tx, parts),
        metadata: { place },
      });
    },
    async "ask.routes"(input, { caller }) {
      if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
      const router = await routerFor(input.session ?? standingSession(caller.project?.path ?? ""));
      return explainRoute(slash.direct(input, router), router);
    },
    async "ask.metrics"(input, { caller }) {
      if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
      return guideMetrics(input, guide);
    },
  };
  return {
    handlers,
    routerFor,
    /** Where an agent's questions go that name no session. */
    sessionOf: (caller: AgentCaller): Promise<SessionId> =>
      sessionFor(undefined, { path: caller.project.path, project: caller.project.id }, caller, parts),
  };
}

export function placeIn({ metadata }: Message): Place {
  return metadata.place as Place;
}

/**
 * Each project has a session of its own for questions that name none, known by the project's path: so that a question that
 * is refused leaves nothing behind, not even a project. Ids sort by time; this one is older than all others.
 */
function standingSession(path: string): SessionId {
  return `ses_${"0".repeat(10)}${hash("sha256", path, "hex").slice(0, 12)}` as SessionId;
}

async function knownSession(id: SessionId, project: ProjectId | undefined, { store }: Parts): Promise<SessionId> {
  const known = await store.reader.sessions.find(id);
  if (known !== undefined && (project === undefined || known.project === project)) return id;
  throw new DomainError(
    "session.not-found",
    `There is no session ${id} in this project; leave it out to ask in the project's own`,
    { details: { id } },
  );
}

async function placeFor({ project }: InputOf<"ask.send">, caller: Caller, { store }: Parts): Promise<Place> {
  const { path, name, tree, branch } = await locateProject(project.path);
  if (caller.kind === "agent" && caller.project.path !== path)
    throw new DomainError("caller.denied", "An agent may ask about its own project only", {
      details: { needed: "a token of that project" },
    });
  return { path, name, tree, branch, project: (await store.reader.projects.findByPath(path))?.id };
}

/** The one that is named; else the one somebody looks at, if it is this project's; else the project's own. */
async function sessionFor(
  wanted: SessionId | undefined,
  { path, project }: Pick<Place, "path" | "project">,
  caller: Caller,
  parts: Parts,
): Promise<SessionId> {
  if (wanted !== undefined) return knownSession(wanted, project ?? unknownProject, parts);
  if (project === undefined) return standingSession(path);
  return (await parts.store.reader.sessions.focusOf(focusClient(caller, project))) ?? standingSession(path);
}

const unknownProject = "" as ProjectId;

/** Project and standing session exist from the first question that was answered. */
async function ensureStanding(
  session: SessionId,
  place: Place,
  tx: Repositories & Transaction,
  { clock, ids }: Parts,
): Promise<ProjectId> {
  const project = (await ensureProject(place, tx, { clock, ids })).id;
  if ((await tx.sessions.find(session)) !== undefined) return project;
  const made = newSession({ id: session, project, name: "questions", implicit: true }, clock.now());
  await tx.sessions.insert(made);
  await tx.events.append(project, sessionContract.SessionCreated.of(session, { session: made }));
  return project;
}
