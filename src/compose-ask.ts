/**
 * The Guide in the daemon, and the handlers of `sylk ask`.
 *
 *   ask.send -> session of the project -> its router -> Librarian, Archivalist (shared) | Architect, Inspector, Tester (a model)
 */
import { hash } from "node:crypto";
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
import type { Call } from "./platform/operations/index.ts";
import type { Transaction } from "./platform/store/index.ts";
import type { Parts, Repositories, Terms } from "./compose-parts.ts";

export type AskOperation = Extract<OperationName, `ask.${string}`>;
type AskHandlers = Pick<Handlers<Call<Repositories>>, AskOperation>;
/** Where a question was asked: it travels with the question, because a session may be asked from several trees. */
type Place = ProjectPlace & { readonly project: ProjectId | undefined };
type ProjectPlace = Awaited<ReturnType<typeof locateProject>>;

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
      async search(message, words, limit) {
        const { project } = placeIn(message);
        return project === undefined
          ? []
          : parts.store.reader.archive.list({ project, words, before: undefined, limit });
      },
    }),
  );
  guide.watch("*.errors", ({ session, to, type, error }) => log.info("guide.unanswered", { session, to, type, error }));

  function routerOf(session: SessionId): SessionRouter {
    for (const [id, at] of usedAt)
      if (clock.monotonic() - at > idleMs && (guide.get(id)?.pending().length ?? 0) === 0) {
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
        const place = await placeFor(input, call.caller, parts);
        const session = await sessionFor(input.session, place, guide.active(), parts);
        return askQuestion(input, call, {
          clock,
          router: routerOf(session),
          scope: place.path,
          ensureProject: (tx) => ensureStanding(session, place, tx, parts),
          metadata: { place },
        });
      },
      async "ask.routes"(input, { caller }) {
        if (input.session !== undefined) await knownSession(input.session, caller.project?.id, parts);
        const session = input.session ?? standingSession(caller.project?.path ?? "");
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

/**
 * Each project has a session of its own for questions that name none, known by the project's path: so that a question that
 * is refused leaves nothing behind, not even a project. Ids sort by time; this one is older than all others.
 */
function standingSession(path: string): SessionId {
  return `ses_${"0".repeat(10)}${hash("sha256", path, "hex").slice(0, 12)}` as SessionId;
}

async function knownSession(id: SessionId, project: ProjectId | undefined, { store }: Parts): Promise<SessionId> {
  const known = await store.reader.runs.findSession(id);
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
  { path, project }: Place,
  active: SessionId | undefined,
  parts: Parts,
): Promise<SessionId> {
  if (wanted !== undefined) return knownSession(wanted, project ?? unknownProject, parts);
  const focused = active === undefined ? undefined : await parts.store.reader.runs.findSession(active);
  return focused !== undefined && focused.project === project ? focused.id : standingSession(path);
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
  if ((await tx.runs.findSession(session)) !== undefined) return project;
  const at = clock.now();
  const made: Session = { id: session, project, name: "questions", state: "created", createdAt: at, updatedAt: at };
  await tx.runs.insertSession(made);
  await tx.events.append(project, sessionContract.SessionCreated.of(session, { session: made }));
  return project;
}
