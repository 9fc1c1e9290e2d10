/**
 * The Guide in the daemon, and the handlers of `sylk ask`.
 *
 *   ask.send -> session of the project -> its router -> Librarian, Archivalist (shared) | Architect, Inspector, Tester (a model)
 */
import { createGit } from "../../adapters/git/index.ts";
import { answerByModel, answerFromCode, answerFromHistory } from "../../agents/shared/answers/index.ts";
import {
  type AgentCaller,
  type Caller,
  DomainError,
  type InputOf,
  type Message,
  type OperationName,
  type ProjectId,
  type SessionId,
} from "../../contract/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import {
  askQuestion,
  createGuide,
  explainRoute,
  type Guide,
  guideMetrics,
  type SessionRouter,
  standardCards,
} from "../../orchestration/guide/index.ts";
import { focusClient } from "../../orchestration/sessions/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { type Classifier, composeClassifier } from "./classifier.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { filesKnownTo } from "./role-ports.ts";
import type { Slash } from "./slash.ts";
import { ensureStanding, type Place, standingSession } from "./standing-session.ts";
import { defined } from "../../platform/defined.ts";

export type AskOperation = Extract<OperationName, `ask.${string}`>;
type AskHandlers = OperationHandlers<Repositories, AskOperation>;
type Where = Pick<Place, "path" | "project">;

/** The Guide with those who answer in every session, and how a session's own router is made. */
export function composeGuide(parts: Parts, terms: Terms, prompts: PromptPort, slash: Slash) {
  const { clock, log, env, settings } = terms;
  const classifier = composeClassifier(parts, terms, prompts);
  const guide = createGuide({
    clock,
    ids: parts.ids,
    log,
    record: async () => {},
    focus: parts.store.reader.sessions,
    beatMs: settings["workers.beatMs"],
    ...defined({ classifyByModel: classifier?.classify }),
  });
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
    classifier,
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
  readonly classifier: Classifier | undefined;
  readonly openRouter: (session: SessionId) => SessionRouter;
  /** Of a session that is kept. */
  readonly routerOf: (session: SessionId) => Promise<SessionRouter>;
  readonly slash: Slash;
};

export function composeAsk(parts: Parts, { guide, classifier, openRouter, routerOf, slash }: AskPorts) {
  const { clock, store } = parts;
  /** Before its first answer a project's standing session is kept nowhere. */
  const routerFor = async (session: SessionId): Promise<SessionRouter> =>
    (await store.reader.sessions.find(session)) === undefined ? openRouter(session) : routerOf(session);
  const handlers: AskHandlers = {
    async "ask.send"(input, call) {
      const place = await placeFor(input, call.caller, parts);
      const session = await sessionFor(input.session, place, call.caller, { ...parts, guide });
      const router = await routerFor(session);
      return askQuestion(await slash.direct(input, router), call, {
        clock,
        router,
        scope: place.path,
        ensureProject: (tx) => ensureStanding(session, place, tx, parts),
        metadata: { place },
        // Who asks about an unknown project and gets no answer leaves no trace of it.
        recordFailure: async (event) => {
          const { project } = place;
          if (project !== undefined) await store.transact(place.path, (tx) => tx.events.append(project, event));
        },
      });
    },
    async "ask.routes"(input, { caller }) {
      if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
      const { path = "", id: project } = caller.project ?? {};
      const session = input.session ?? (await lookedAt({ path, project }, caller, guide));
      const router = await routerFor(session);
      return explainRoute(await slash.direct(input, router), router, classifier);
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
      sessionFor(undefined, { path: caller.project.path, project: caller.project.id }, caller, { ...parts, guide }),
  };
}

export function placeIn({ metadata }: Message): Place {
  return metadata.place as Place;
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
  { path, project }: Where,
  caller: Caller,
  parts: Parts & { readonly guide: Guide },
): Promise<SessionId> {
  if (wanted !== undefined) return knownSession(wanted, project ?? unknownProject, parts);
  return lookedAt({ path, project }, caller, parts.guide);
}

async function lookedAt({ path, project }: Where, caller: Caller, guide: Guide): Promise<SessionId> {
  const active = project === undefined ? undefined : await guide.active(focusClient(caller, project));
  return active ?? standingSession(path);
}

const unknownProject = "" as ProjectId;
