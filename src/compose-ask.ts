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
import { newSession } from "./orchestration/sessions/index.ts";
import type { Call } from "./platform/operations/index.ts";
import type { Parts, Repositories, Terms } from "./compose-parts.ts";

export type AskOperation = Extract<OperationName, `ask.${string}`>;
type AskHandlers = Pick<Handlers<Call<Repositories>>, AskOperation>;
/** Where a question was asked: it travels with the question, because a session may be asked from several trees. */
type Place = { readonly project: ProjectId; readonly tree: string };

/** What a router has learnt is forgotten after an hour anyway. */
const idleMs = 3_600_000;

export function composeAsk(
  parts: Parts,
  { clock, log, env }: Terms,
  prompts: PromptPort,
): { readonly handlers: AskHandlers; readonly guide: Guide; close(): void } {
  const guide = createGuide({ clock, ids: parts.ids, log, record: async () => {} });
  const usedAt = new Map<SessionId, number>();
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

  function routerOf(session: SessionId): SessionRouter {
    for (const [id, at] of usedAt)
      if (clock.monotonic() - at > idleMs && guide.get(id)?.pending().length === 0) {
        guide.close(id);
        usedAt.delete(id);
      }
    usedAt.set(session, clock.monotonic());
    return guide.get(session) ?? open(session);
  }
  function open(session: SessionId): SessionRouter {
    const router = guide.open(session);
    for (const role of ["architect", "inspector", "tester"] as const)
      router.register(standardCards[role], answerByModel(role, { prompts, router }));
    return router;
  }

  return {
    guide,
    handlers: {
      async "ask.send"(input, call) {
        const { session, ...place } = await sessionFor(input, call.caller, guide.active(), parts);
        return askQuestion(input, call, {
          clock,
          router: routerOf(session),
          project: place.project,
          metadata: { place },
        });
      },
      async "ask.routes"(input, { caller }) {
        if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
        const session = input.session ?? standingSession(caller.project?.id);
        return explainRoute(input, routerOf(session));
      },
      async "ask.metrics"(input, { caller }) {
        if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
        return guideMetrics(input, guide);
      },
    },
    close: () => guide.closeAll(),
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

/** Each project has a session of its own for questions that name none; its id is the project's. */
function standingSession(project: ProjectId | undefined): SessionId {
  return `ses_${project?.slice(4) ?? "0".repeat(22)}` as SessionId;
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
  active: SessionId | undefined,
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
  const focused = active === undefined ? undefined : await store.reader.sessions.find(active);
  if (focused?.project === project.id) return { ...found, session: focused.id };
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
