/** What waits for a person, on the command line: one list, and one verb that settles each of them. */
import { DomainError } from "../../../contract/errors.ts";
import type { InboxItem, RunId } from "../../../contract/index.ts";
import { coversAll } from "../all-projects.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { resolveId } from "../resolve-id.ts";
import { ago, left } from "../wording.ts";
import { follow } from "./run.ts";

const exampleId = "run_01jd8q3m7k4x9t2v5b8n1c";

export const approvals = operationCommand("approval.list", {
  print({ items }, out, context) {
    if (items.length === 0) return out.line("No decisions are waiting");
    for (const item of items) printItem(item, coversAll(context), out);
  },
});

function printItem(item: InboxItem, withProject: boolean, out: Output): void {
  const { id, run, kind, question, details, status, project } = item;
  const state = status === "waiting" ? "" : `${status}  `;
  const place = withProject ? `${out.paint("cyan", project)}  ` : "";
  out.line(
    `${place}${out.paint("yellow", kind)}  ${question}  ${out.paint("dim", `${state}${id}  ${run ?? ""}`.trimEnd())}`,
  );
  for (const detail of details) out.line(`  ${detail}`);
  if (status !== "waiting") return;
  for (const line of [askedLine(item), defaultLine(item), verbsOf(item)]) out.line(out.paint("dim", `  ${line}`));
}

function askedLine({ by, about, title, createdAt }: InboxItem): string {
  const what = [title, about].filter((text) => text !== undefined).map((text) => ` for "${text}"`);
  return `asked by ${by}${what.join(" in the run")} ${ago(createdAt)}`;
}

function defaultLine({ byDefault, deadlineAt, holdsFor }: InboxItem): string {
  const when = deadlineAt === undefined ? "" : ` (${left(deadlineAt)})`;
  return `without an answer ${byDefault}${when}; a decision holds for ${holdsFor}`;
}

function verbsOf({ id, kind }: InboxItem): string {
  return kind === "question" ? `sylk answer ${id} "…"` : `sylk approve ${id}, or sylk reject ${id}`;
}

type Decision = "approve" | "reject" | "answer";
const idArgument = { name: "id", describe: "What waits, or a run or DAG run with one question", required: true };
const reason = { reason: { describe: "why; kept with the run", value: "text" } };

export const approve: WrittenCommand = {
  operation: "approval.decide",
  example: `sylk approve ${exampleId}`,
  details:
    'Takes an id of "sylk approvals", or a run or DAG run that waits for one decision. "sylk reject" says no, "sylk answer" answers a question.',
  arguments: [idArgument],
  flags: {
    reject: { describe: 'say no, as "sylk reject" does' },
    answer: { describe: 'answer a question, as "sylk answer" does', value: "text" },
    ...reason,
  },
  run(context) {
    const { reject, answer: text } = context.flags;
    if (typeof text === "string") return decide("answer", context, text);
    return decide(reject === true ? "reject" : "approve", context);
  },
};

export const reject: WrittenCommand = {
  summary: "Say no to what waits for you; a question stays unanswered",
  example: `sylk reject ${exampleId} --reason "the plan forgets the tests"`,
  arguments: [idArgument],
  flags: reason,
  run: (context) => decide("reject", context),
};

export const answer: WrittenCommand = {
  summary: "Answer a question that waits for you",
  example: `sylk answer ${exampleId} "in euros"`,
  arguments: [idArgument, { name: "text", describe: "The answer", required: true }],
  flags: reason,
  run: (context) => decide("answer", context, String(context.args[1])),
};

async function decide(decision: Decision, context: CommandContext, text?: string): Promise<number | undefined | void> {
  const { args, flags, json, out, connect } = context;
  const client = await connect();
  const { approval } = await client.call("approval.decide", {
    id: await waitingFor(String(args[0]), context),
    decision,
    ...(text === undefined ? {} : { answer: text }),
    ...(typeof flags.reason === "string" ? { reason: flags.reason } : {}),
  });
  if (json) return out.json({ approval });
  out.line(`${approval.kind} ${approval.status}, for ${approval.holdsFor}`);
  const { run: asker } = approval;
  if (approval.status === "approved" && approval.kind !== "command" && isRun(asker))
    return follow((await client.call("run.get", { id: asker })).run, context);
}

function isRun(id: InboxItem["run"]): id is RunId {
  return id?.startsWith("run_") === true;
}

async function waitingFor(id: string, { connect, json }: CommandContext): Promise<InboxItem["id"]> {
  const client = await connect();
  const isWhole = json && /^(apr|rsv)_/.test(id);
  const named = isWhole ? id : await resolveId(id, ["apr", "rsv", "run", "dag"], "<id>", client);
  if (/^(apr|rsv)_/.test(named)) return named as InboxItem["id"];
  const { items } = await client.call("approval.list", { run: named });
  const waiting = items.filter(({ status }) => status === "waiting");
  if (waiting.length === 1) return waiting[0]!.id;
  throw new DomainError(
    "approval.not-found",
    waiting.length === 0
      ? `${id} does not wait for a decision`
      : `${id} waits for ${waiting.length} decisions; name one of ${waiting.map((item) => `${item.id} (${item.question})`).join(", ")}`,
    { details: { id } },
  );
}
