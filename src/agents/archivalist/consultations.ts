/**
 * Consultations are kept by themselves: what a role or a person asked Librarian or Academic, and the answer.
 *
 *   post-dispatch hook of the Guide -> question and answer, bounded -> entry of the session -> what it saved, estimated
 *                                   -> remembered route, whatever the role -> cache hit of the session
 *
 * No model is called. An answer without a model saves at least the tokens of question and answer. A remembered route saves no
 * tokens, because rules had chosen it.
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
      if (status !== "completed" || answer === undefined || !questions.has(request.type)) return;
      const isConsultation = consulted.has(request.to);
      const isRemembered = (request.payload as Asked).routedBy?.endsWith("-cache") === true;
      const project = isConsultation || isRemembered ? await projectOf(request, ports) : undefined;
      if (project === undefined) return;
      await ports.store.transact(project, async ({ archive }) => {
        if (isConsultation) await keepConsultation({ project, request, answer }, archive, ports);
        if (!isRemembered) return;
        const what = "route of a question";
        await archive.addSaving(project, { ...unspent(request, ports), kind: "cache-hit", what, avoided: 0 });
      });
    },
  });
}

type Consultation = { readonly project: ProjectId; readonly request: Message; readonly answer: Message };

async function keepConsultation(
  { project, request, answer }: Consultation,
  archive: Pick<ArchiveRepository, "keep" | "addSaving">,
  ports: Ports,
): Promise<void> {
  const { session, from, to, type, run } = request;
  const { text = "", question = text } = request.payload as Asked;
  const said = textOf(answer.payload);
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
  const [id, at] = [ports.ids.next("ent"), ports.clock.now()];
  await archive.keep(project, { ...entry, id, session, category: "consultation", source: to, at });
  const avoided = used === undefined ? tokensOf(question) + tokensOf(said) : 0;
  const what = `${to} answered ${from}`;
  await archive.addSaving(project, { ...unspent(request, ports), kind: "consultation", what, avoided });
}

function unspent({ session }: Message, { clock }: Ports) {
  return { session, isMeasured: false, context: 0, serving: 0, at: clock.now() } as const;
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
