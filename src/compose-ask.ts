/**
 * The Guide in the daemon, and the handlers of `sylk ask`.
 *
 *   ask.send -> session of the project -> its router -> Librarian, Archivalist (shared) | Architect, Inspector, Tester (a model)
 */
import { createGit } from "./adapters/git/index.ts";
import { answerByModel, answerFromCode, answerFromHistory } from "./agents/answering/index.ts";
import {
  type Caller,
  DomainError,
  type Handlers,
  type InputOf,
  type Message,
  type OperationName,
  type ProjectId,
  type Session,
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
import type { Parts, Repositories, Terms } from "./compose-parts.ts";

export type AskOperation = Extract<OperationName, `ask.${string}`>;
type AskHandlers = Pick<Handlers<Call<Repositories>>, AskOperation>;
/** Where a question was asked: it travels with the question, because a session may be asked from several trees. */
type Place = { readonly project: ProjectId; readonly tree: string };

/** The Guide with those who answer in every session, and how a session's own router is made. */
export function composeGuide(parts: Parts, { clock, log, env }: Terms, prompts: PromptPort) {
  const guide = createGuide({ clock, ids: parts.ids, log, record: async () => {} });
  const git = createGit(clock, env);
  guide.registerShared(
    standardCards.librarian,
    answerFromCode({
      treeOf: (message) => placeIn(message).tree,
      listFiles: async (tree) => {
        const listed = await git(tree, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).catch(
          noRepository,
        );
        return listed.split("\0").filter(Boolean);
      },
    }),
  );
  guide.registerShared(
    standardCards.archivalist,
    answerFromHistory({
      search: (message, words, limit) =>
        parts.store.reader.archive.list({ project: placeIn(message).project, words, before: undefined, limit }),
    }),
  );
  guide.watch("*.errors", ({ session, to, type, error }) => log.info("guide.unanswered", { session, to, type, error }));
  return {
    guide,
    openRouter(session: SessionId): SessionRouter {
      const router = guide.open(session);
      for (const role of ["architect", "inspector", "tester"] as const)
        router.register(standardCards[role], answerByModel(role, { prompts, router }));
      return router;
    },
    close: () => guide.closeAll(),
  };
}

type AskPorts = {
  readonly guide: Guide;
  readonly openRouter: (session: SessionId) => SessionRouter;
  readonly routerOf: (session: SessionId) => Promise<SessionRouter>;
};

export function composeAsk(parts: Parts, { guide, openRouter, routerOf }: AskPorts): AskHandlers {
  return {
    async "ask.send"(input, call) {
      const { session, ...place } = await sessionFor(input, call.caller, parts);
      return askQuestion(input, call, {
        clock: parts.clock,
        router: await routerOf(session),
        project: place.project,
        metadata: { place },
      });
    },
    async "ask.routes"({ session, ...input }, { caller }) {
      if (session !== undefined) await knownSession(session, caller.project?.id, parts);
      const standing = standingSession(caller.project?.id);
      const isKnown = session !== undefined || (await parts.store.reader.sessions.find(standing)) !== undefined;
      // Where nobody has asked yet nothing is learnt either: any router routes alike.
      const router = isKnown ? await routerOf(session ?? standing) : (guide.get(nobody) ?? openRouter(nobody));
      return explainRoute(input, router);
    },
    async "ask.metrics"(input, { caller }) {
      if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
      return guideMetrics(input, guide);
    },
  };
}

function placeIn({ metadata }: Message): Place {
  return metadata.place as Place;
}

function noRepository(cause: unknown): never {
  if (cause instanceof DomainError) throw cause;
  throw new DomainError("workspace.unavailable", "The librarian knows files by git, and this folder is no repository", {
    cause,
  });
}

const nobody = `ses_${"0".repeat(22)}` as SessionId;

/** Each project has a session of its own for questions that name none; its id is the project's. */
function standingSession(project: ProjectId | undefined): SessionId {
  return project === undefined ? nobody : (`ses_${project.slice(4)}` as SessionId);
}

async function knownSession(id: SessionId, project: ProjectId | undefined, { store }: Parts): Promise<Session> {
  const known = await store.reader.sessions.find(id);
  if (known !== undefined && (project === undefined || known.project === project)) return known;
  throw new DomainError(
    "session.not-found",
    `There is no session ${id} in this project; leave it out to ask in the project's own`,
    { details: { id } },
  );
}

async function sessionFor(
  wanted: InputOf<"ask.send">,
  caller: Caller,
  parts: Parts,
): Promise<Place & { readonly session: SessionId }> {
  const place = await locateProject(wanted.project.path);
  if (caller.kind === "agent" && caller.project.path !== place.path)
    throw new DomainError("caller.denied", "An agent may ask about its own project only", {
      details: { needed: "a token of that project" },
    });
  const { clock, ids, store } = parts;
  const project = await store.transact(place.path, (tx) => ensureProject(place, tx, { clock, ids }));
  const found = { project: project.id, tree: place.tree };
  if (wanted.session !== undefined)
    return { ...found, session: (await knownSession(wanted.session, project.id, parts)).id };
  const focused = await store.reader.sessions.focusOf(focusClient(caller, project.id));
  if (focused !== undefined) return { ...found, session: focused };
  return { ...found, session: await ensureStanding(project.id, parts) };
}

async function ensureStanding(project: ProjectId, { store, clock }: Parts): Promise<SessionId> {
  const id = standingSession(project);
  if ((await store.reader.sessions.find(id)) !== undefined) return id;
  return store.transact(project, async (tx) => {
    if ((await tx.sessions.find(id)) !== undefined) return id;
    const session = newSession({ id, project, name: "questions", implicit: true }, clock.now());
    await tx.sessions.insert(session);
    await tx.events.append(project, sessionContract.SessionCreated.of(id, { session }));
    return id;
  });
}
