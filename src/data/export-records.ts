/**
 * Everything as JSON Lines: a header with the versions, then one record a line, kind by kind, in a fixed order. It is
 * read from one instant of the store, so it can be compared: equal stores give equal bytes.
 *
 *   snapshot -> header, projects, agents, what they left, reservations, work items, messages, findings, sessions, runs,
 *     approvals, DAG runs, history, sources and file versions (without contents), events -> file
 *
 * Records are what the operations answer, without what only a running daemon knows (who is live, when a lease will end)
 * and without what is never shown: tokens and their hashes, session keys, the environment of a run.
 */
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import type { ProjectId } from "../contract/index.ts";
import { findProject, possiblePaths, refOf, type AgentRecord } from "../coordination/registry/index.ts";
import type { ReservationRecord } from "../coordination/reservations/index.ts";
import { viewWorkItem } from "../coordination/work-items/index.ts";
import { asFileTrouble, refuseExisting } from "../platform/target-file.ts";
import { version } from "../platform/version.ts";
import { viewDag } from "../orchestration/graphs/index.ts";
import { viewRun } from "../orchestration/runs/index.ts";
import { viewMail } from "../coordination/mail/index.ts";
import type { RecordPorts, RecordRepositories } from "./data-ports.ts";

type Terms = { readonly file: string; readonly only: string | undefined };
type Written = { readonly bytes: number; readonly records: Readonly<Record<string, number>> };
type Line = { readonly record: string } & Readonly<Record<string, unknown>>;

const format = 1;
const pageSize = 200;
const anyFinding = {
  path: undefined,
  severity: undefined,
  status: undefined,
  category: undefined,
  thread: undefined,
  run: undefined,
  workItem: undefined,
  notOnlyBy: undefined,
};

export async function exportRecords({ file, only }: Terms, { store }: Pick<RecordPorts, "store">): Promise<Written> {
  const project =
    only === undefined ? undefined : (await findProject(only, await possiblePaths(only), store.reader.projects)).id;
  refuseExisting(file);
  const partial = `${file}.partial`;
  try {
    await using target = await open(partial, "w", 0o600);
    const written = await store.snapshot((reader) => writeLines(linesOf(reader, project), target));
    await target.sync();
    await rename(partial, file);
    return written;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // the failure that made it useless is the one to tell
    throw asFileTrouble(error, file);
  }
}

/** A page at a time, so that a long export holds neither the memory nor the daemon's other callers. */
async function writeLines(lines: AsyncIterable<Line>, target: FileHandle): Promise<Written> {
  const records: Record<string, number> = {};
  let bytes = 0;
  let page: string[] = [];
  const flush = async (): Promise<void> => {
    bytes += (await target.write(page.join(""))).bytesWritten;
    page = [];
  };
  for await (const line of lines) {
    page.push(`${JSON.stringify(line)}\n`);
    if (line.record !== "header") records[line.record] = (records[line.record] ?? 0) + 1;
    if (page.length >= pageSize) await flush();
  }
  await flush();
  return { bytes, records };
}

async function* linesOf(reader: RecordRepositories, only: ProjectId | undefined): AsyncGenerator<Line> {
  yield { record: "header", sylk: version, format, ...(only === undefined ? {} : { project: only }) };
  for (const project of await reader.projects.list())
    if (only === undefined || project.id === only) yield { record: "project", ...project };
  for (const agent of (await reader.agents.list({ project: only, includeGone: true })).toSorted(byId)) {
    yield { record: "agent", ...agentLine(agent) };
    const handoff = await reader.handoffs.find(agent.id);
    if (handoff !== undefined) yield { record: "handoff", ...handoff };
  }
  yield* paged((after) => reader.reservations.kept({ project: only, after, limit: pageSize }), reservationLine);
  yield* paged(
    (before) => reader.workItems.list({ project: only, status: undefined, before, limit: pageSize }),
    async (item) => ({ record: "work-item", project: item.project, ...viewWorkItem(item) }),
  );
  yield* messageLines(reader, only);
  yield* paged(
    (before) => reader.findings.list({ ...anyFinding, project: only, before, limit: pageSize }),
    async ({ id, project, reports, state }) => ({ record: "finding", id, project, ...state, reports }),
  );
  yield* paged(
    (before) => reader.sessions.list({ project: only, before, limit: pageSize }),
    async (session) => ({ record: "session", ...session }),
  );
  yield* paged(
    (before) => reader.runs.list({ project: only, status: undefined, before, limit: pageSize }),
    async (run) => ({ record: "run", ...(await viewRun(run, reader)) }),
  );
  for (const approval of await reader.approvals.list({ graph: undefined, project: only, waitingOnly: false }))
    yield { record: "approval", ...approval };
  yield* paged(
    (before) => reader.dags.list({ project: only, session: undefined, status: undefined, before, limit: pageSize }),
    async (dag) => ({ record: "dag", ...(await viewDag(dag, reader.dags)) }),
  );
  for (let before: string | undefined; ;) {
    const filter = { project: only, sessions: undefined, withArchived: true };
    const entries = await reader.archive.list({ ...filter, before, limit: pageSize });
    for (const { cursor: _cursor, ...entry } of entries) yield { record: "history", ...entry };
    if (entries.length < pageSize) break;
    before = entries.at(-1)!.cursor;
  }
  yield* paged(
    (before) => reader.sources.list({ project: only, before, limit: pageSize }),
    async (source) => ({ record: "source", ...source }),
  );
  yield* paged(
    (before) => reader.fileVersions.list({ project: only, before, limit: pageSize }),
    async (fileVersion) => ({ record: "file-version", ...fileVersion }),
  );
  yield* eventLines(reader, only);
}

async function* paged<Item extends { readonly id: string }>(
  next: (cursor: string | undefined) => Promise<readonly Item[]>,
  lineOf: (item: Item) => Promise<Line>,
): AsyncGenerator<Line> {
  for (let cursor: string | undefined; ;) {
    const items = await next(cursor);
    for (const item of items) yield lineOf(item);
    if (items.length < pageSize) return;
    cursor = items.at(-1)!.id;
  }
}

async function* messageLines(reader: RecordRepositories, only: ProjectId | undefined): AsyncGenerator<Line> {
  for (let after = 0; ;) {
    const messages = await reader.mail.kept({ project: only, after, limit: pageSize });
    for (const message of messages) {
      const { project, audience, sequence, to } = message;
      const { to: shown = to, ...mail } = viewMail(message);
      yield { record: "message", ...mail, to: shown, project, audience, sequence };
    }
    if (messages.length < pageSize) return;
    after = messages.at(-1)!.sequence;
  }
}

async function* eventLines(reader: RecordRepositories, only: ProjectId | undefined): AsyncGenerator<Line> {
  for (let after = 0; ;) {
    const page = await reader.events.page({ after, limit: pageSize, types: undefined, project: only });
    for (const event of page.events) yield { record: "event", ...event };
    if (!page.more) return;
    after = page.lastSequence;
  }
}

function byId(a: AgentRecord, b: AgentRecord): number {
  return a.id < b.id ? -1 : 1;
}

/** When it was last heard of is written down every few seconds only, and not part of what it is. */
function agentLine(record: AgentRecord): Readonly<Record<string, unknown>> {
  const { project, tree, capabilities, pid, registeredAt, endedAt } = record;
  return { ...refOf(record), project: project.id, tree, capabilities, pid, registeredAt, endedAt };
}

async function reservationLine(record: ReservationRecord): Promise<Line> {
  return { record: "reservation", ...record };
}
