/**
 * Consultations are kept by themselves: what a role or a person asked Librarian or Academic, and the answer.
 *
 *   post-dispatch hook of the Guide -> question and answer, bounded -> entry of the session -> what it saved, estimated
 *
 * No model is called. An answer without a model saves at least the tokens of question and answer. A remembered route is counted
 * as a hit; it saves no tokens, because rules had chosen it.
 */
import type { Message, ProjectId } from "../../contract/index.ts";
import { type ArchiveRepository, tokensOf } from "../../knowledge/archive/index.ts";
import type { Guide } from "../../orchestration/guide/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";

type Tx = {
  readonly archive: ArchiveRepository;
  readonly sessions: { find(id: Message["session"]): Promise<{ readonly project: ProjectId } | undefined> };
};
type Ports = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Removes secrets. */
  readonly clean: <T>(value: T) => T;
};

/** Not the Archivalist: its answers are in the archive already. */
const consulted: ReadonlySet<string> = new Set(["librarian", "academic"]);
const questions: ReadonlySet<string> = new Set(["USER_INPUT", "CONTEXT_REQUEST", "RESEARCH_REQUEST"]);
const longestQuestion = 300;
const longestAnswer = 2_000;

export function recordConsultations(guide: Pick<Guide, "addHook">, ports: Ports): void {
  guide.addHook("post-dispatch", {
    name: "archivalist.consultations",
    async run({ request, status, answer }) {
      if (status !== "completed" || answer === undefined) return;
      if (!consulted.has(request.to) || !questions.has(request.type)) return;
      await keepConsultation(request, answer, ports);
    },
  });
}

async function keepConsultation(request: Message, answer: Message, ports: Ports): Promise<void> {
  const { session, from, to, type, run } = request;
  const project = await projectOf(request, ports);
  if (project === undefined) return;
  const { text = "", question = text, routedBy } = request.payload as Asked;
  const said = textOf(answer.payload);
  const at = ports.clock.now();
  const used = (answer.payload as { readonly model?: unknown }).model;
  const entry = ports.clean({
    title: question.slice(0, longestQuestion),
    content: {
      from,
      to,
      type,
      answer: said.slice(0, longestAnswer),
      ...(run === undefined ? {} : { run }),
    },
  });
  await ports.store.transact(project, async (tx) => {
    const id = ports.ids.next("ent");
    await tx.archive.keep(project, { ...entry, id, session, category: "consultation", source: to, at });
    const saving = { session, isMeasured: false, context: 0, serving: 0, at };
    const avoided = used === undefined ? tokensOf(question) + tokensOf(said) : 0;
    await tx.archive.addSaving(project, { ...saving, kind: "consultation", what: `${to} answered ${from}`, avoided });
    if (routedBy?.endsWith("-cache") === true)
      await tx.archive.addSaving(project, { ...saving, kind: "cache-hit", what: "route of a question", avoided: 0 });
  });
}

type Asked = { readonly text?: string; readonly question?: string; readonly routedBy?: string };

/** Unknown before the first question of a project was answered. */
async function projectOf({ session, metadata }: Message, { store }: Ports): Promise<ProjectId | undefined> {
  const place = metadata.place as { readonly project?: ProjectId } | undefined;
  return place?.project ?? (await store.reader.sessions.find(session))?.project;
}

function textOf(payload: unknown): string {
  const { text } = payload as { readonly text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(payload);
}
