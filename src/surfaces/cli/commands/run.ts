/** `sylk run`: one request, from its plan to its result, before your eyes. */
import { ringBell } from "../ring-bell.ts";
import { resolve } from "node:path";
import { invalidInput } from "../../../contract/errors.ts";
import type { Approval, LogEvent, Run, RunId } from "../../../contract/index.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { SylkClient } from "../../client/index.ts";
import { carriedEnvironment } from "../carried-environment.ts";
import type { ArgumentTerms, CommandContext, FlagTerms, WrittenCommand } from "../command.ts";
import { focusedSession } from "../focused-session.ts";
import { newestRun } from "../newest.ts";
import { printable } from "../printable.ts";
import { idOrNewest, resolveId } from "../resolve-id.ts";
import { followRun, isResting } from "../runs/follow-run.ts";
import { createLiveTree, type LiveTree } from "../runs/live-tree.ts";
import { askApproval, canAsk } from "../runs/ask-approval.ts";
import { leftRunningLines, nextSteps, type NextStep, stepLines } from "../runs/next-steps.ts";
import { resultLines } from "../runs/render-run.ts";
import { sampleScenario } from "../samples.ts";
import { titleLine, tokens } from "../wording.ts";

const flags: Readonly<Record<string, FlagTerms>> = {
  yes: { describe: "approve the plan without asking", short: "y" },
  rehearse: {
    describe: "a scripted model plays a scenario instead of a real model (default: the sample)",
    optionalValue: "scenario",
  },
  provider: { describe: "configured provider to use", value: "name" },
  budget: { describe: "token limit of this run; 200k is 200000", value: "tokens" },
  session: { describe: "session to run in (default: your current one, or a new one)", value: "id" },
  "test-command": {
    describe: "test command, if the project's files do not define one (no shell)",
    value: "command",
  },
  "lint-command": {
    describe: "lint command, if the project's files do not define one (no shell)",
    value: "command",
  },
};

const requestArgument: ArgumentTerms = { name: "request", describe: "The change you want", required: true };

export const runCommand: WrittenCommand = {
  operation: "run.start",
  example: 'sylk run "Add percentage discounts to the cart" --yes',
  details:
    "Works in its own worktree and branch; your files stay unchanged until you merge. With --json every event is a line, and the run itself is the last line. Exit code 0 when verified, 5 when not.",
  arguments: [requestArgument],
  flags,
  async run(context) {
    return begin(await start(context, context.flags.yes === true), context);
  },
};

export const watch: WrittenCommand = {
  summary: "Watch a run until it ends or waits for you; without an id the newest one",
  example: "sylk run watch run_01jd8q3m7k4x9t2v5b8n1c",
  details: "Ctrl-C leaves it running. Exit code 0 when verified or waiting for approval, 5 when not.",
  arguments: [{ name: "id", describe: "Run id (default: the newest run)" }],
  async run(context) {
    const id = await idOrNewest(
      context.args[0] as string | undefined,
      ["run"],
      { ...newestRun(""), isNamedByCommand: true },
      context,
    );
    const client = await context.connect();
    if (!context.json) sayTitle(printable((await client.call("run.get", { id: id as RunId })).run), context);
    return follow({ id: id as RunId }, context);
  },
};

export const planCommand: WrittenCommand = {
  summary: "Plan a request and wait for your approval",
  example: 'sylk plan "Add percentage discounts to the cart"',
  details: '"sylk approve" runs the plan.',
  arguments: [requestArgument],
  flags,
  async run(context) {
    return begin(await start(context, false), context);
  },
};

/** The id comes first: whatever happens next, the run can be found again. */
function begin(run: Run, context: CommandContext): Promise<number> {
  if (!context.json) {
    sayTitle(run, context);
    if (run.reason !== undefined) context.out.note(run.reason);
  }
  return follow(run, context);
}

function sayTitle({ id, request }: Pick<Run, "id" | "request">, { out }: CommandContext): void {
  out.line(titleLine(request.split("\n")[0]!, id, out));
}

async function start(
  { args: [request], flags: given, cwd, env, connect, out, json }: CommandContext,
  approve: boolean,
): Promise<Run> {
  const text = (name: string): string | undefined => (typeof given[name] === "string" ? given[name] : undefined);
  const client = await connect();
  const named = text("session") as Run["session"] | undefined;
  const session =
    named === undefined
      ? await focusedSession(client)
      : ((await resolveId(named, ["ses"], "--session", client)) as Run["session"]);
  const { run } = await client.call("run.start", {
    request: String(request),
    project: { path: cwd },
    approve,
    environment: carriedEnvironment(env),
    ...defined({
      provider: text("provider"),
      budget: budgetOf(text("budget")),
      session,
    }),
    ...defined({ testCommand: text("test-command")?.split(/\s+/), lintCommand: text("lint-command")?.split(/\s+/) }),
    ...(given.rehearse === undefined
      ? {}
      : { rehearse: given.rehearse === true ? sampleScenario() : resolve(cwd, String(given.rehearse)) }),
  });
  if (named === undefined && session !== undefined && !json) out.note(`in your current session: ${session}`);
  return run;
}

function budgetOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const budget = tokens(given);
  if (typeof budget === "number") return budget;
  throw invalidInput("budget", "must be a number of tokens", {
    sentence: `--budget "${given}" is not a number of tokens; write 200000 or 200k`,
  });
}

/** Shows a run until it ends or needs a person who is not here; also used to look at one that is under way. */
export async function follow({ id }: Pick<Run, "id">, context: CommandContext): Promise<number> {
  const { out, json } = context;
  for (let isPlanShown = false; ; isPlanShown = true) {
    const last = await watchUntilRest(id, { isPlanShown }, context);
    if (last === undefined || !isResting(last)) {
      if (!json) leftRunningLines({ id }).forEach(out.note);
      return 130;
    }
    if (!json && last.status === "awaiting_approval" && canAsk()) {
      await ringBell(context);
      if ((await askApproval(last, context)) === "decided") continue;
      out.note(`${id} waits for your decision.`);
      stepLines(nextSteps(last)).forEach(out.note);
      return 130;
    }
    if (json) out.jsonLine({ run: last });
    else await conclude(printable(last), context);
    return last.status === "verified" || last.status === "awaiting_approval" ? 0 : 5;
  }
}

async function watchUntilRest(
  id: RunId,
  shown: { readonly isPlanShown: boolean },
  context: CommandContext,
): Promise<Run | undefined> {
  const { out, json } = context;
  const tree = createLiveTree(out, process.stdout, shown);
  let last: Run | undefined;
  for await (const { run, event } of followRun(id, context)) {
    last = run;
    if (!json && event?.type === "run.model-retried") sayRetry(event, tree, context);
    if (!json && event?.type === "approval.requested")
      await sayQuestion(event.data.approval as Approval, tree, context);
    if (!json) tree.show(printable(run));
    else if (event !== undefined) out.jsonLine(event);
  }
  tree.end();
  return last;
}

/** Not said of a pause that is over. */
function sayRetry({ at, data }: LogEvent, tree: LiveTree, { out }: CommandContext): void {
  const { role, waitMs, reason } = printable(data as { role: string; waitMs: number; reason: string });
  const leftMs = at + waitMs - systemClock().now();
  if (leftMs > 0)
    tree.say(out.paint("yellow", `  ${role}: trying again in ${Math.ceil(leftMs / 1_000)} s (${reason})`));
}

/** Asked while the run continues; the user has to know that it waits for them, unless that was long ago. */
async function sayQuestion(approval: Approval, tree: LiveTree, context: CommandContext): Promise<void> {
  const { out, connect } = context;
  if (approval.kind !== "command" && approval.kind !== "question") return;
  const { items } = await (await connect()).call("approval.list", { run: approval.run });
  if (items.some((known) => known.id === approval.id && known.status !== "waiting")) return;
  await ringBell(context);
  const { id, kind, question, details } = printable(approval);
  const way = kind === "question" ? '--answer "…"' : "[--reject]";
  tree.say(`${out.paint("yellow", "asks")}  ${question}  ${out.paint("dim", `sylk approve ${id} ${way}`)}`);
  if (kind === "question") for (const detail of details) tree.say(out.paint("dim", `      ${detail}`));
}

async function conclude(run: Run, context: CommandContext): Promise<void> {
  const { out, connect } = context;
  for (const line of resultLines(run, out)) out.line(line);
  if (run.status === "awaiting_approval") await ringBell(context);
  const client = await connect();
  if (run.commit !== undefined) {
    const { files } = await client.call("run.diff", { id: run.id });
    out.table(
      ["", "", ""],
      files.map(({ path, kind, added, removed }) => [`  ${kind}`, path, `+${added ?? "?"} -${removed ?? "?"}`]),
    );
  }
  stepLines(await stepsOf(run, client)).forEach((line) => out.line(line));
  if (run.status === "cancelled" && run.commit === undefined)
    out.line('Nothing was changed. Start again with other words: sylk run "…"');
}

export async function stepsOf(run: Run, client: SylkClient): Promise<readonly NextStep[]> {
  const { items } = await client.call("approval.list", { run: run.id });
  const asksEvidence = items.some(({ kind, status }) => kind === "evidence" && status === "waiting");
  return nextSteps(run, { asksEvidence });
}
