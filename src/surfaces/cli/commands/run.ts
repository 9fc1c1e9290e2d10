/** `sylk run`: one request, from its plan to its result, before your eyes. */
import { resolve } from "node:path";
import { invalidInput } from "../../../contract/errors.ts";
import type { Approval, Run, RunId } from "../../../contract/index.ts";
import { defined } from "../../../platform/defined.ts";
import { carriedEnvironment } from "../carried-environment.ts";
import type { ArgumentTerms, CommandContext, FlagTerms, WrittenCommand } from "../command.ts";
import { focusedSession } from "../focused-session.ts";
import { newestRun } from "../newest.ts";
import { printable } from "../printable.ts";
import { idOrNewest, resolveId } from "../resolve-id.ts";
import { followRun, isResting } from "../runs/follow-run.ts";
import { createLiveTree, type LiveTree } from "../runs/live-tree.ts";
import { resultLines } from "../runs/render-run.ts";
import { sampleScenario } from "../samples.ts";
import { keepsRunning, titleLine, tokens } from "../wording.ts";

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
    const run = await start(context, context.flags.yes === true);
    if (!context.json) context.out.line(titleLine(run.request.split("\n")[0]!, run.id, context.out));
    if (run.reason !== undefined) context.out.note(run.reason);
    return follow(run, context);
  },
};

export const watch: WrittenCommand = {
  summary: "Watch a run until it ends or waits for you",
  example: "sylk run watch run_01jd8q3m7k4x9t2v5b8n1c",
  details: "Ctrl-C leaves it running. Exit code 0 when verified or waiting for approval, 5 when not.",
  arguments: [{ name: "id", describe: "Run id (default: the newest run)" }],
  async run(context) {
    const id = await idOrNewest(context.args[0] as string | undefined, ["run"], newestRun(""), context);
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
    return follow(await start(context, false), context);
  },
};

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
  if (named === undefined && session !== undefined && !json) out.note(`in your current session: ${session}`);
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

/** Shows a run until it rests; also used to look at one that is under way. */
export async function follow({ id }: Pick<Run, "id">, context: CommandContext): Promise<number> {
  const { out, json } = context;
  const tree = createLiveTree(out, process.stdout);
  let last: Run | undefined;
  for await (const { run, event } of followRun(id, context)) {
    last = run;
    if (!json && event?.type === "approval.requested")
      await sayQuestion(event.data.approval as Approval, tree, context);
    if (!json) tree.show(printable(run));
    else if (event !== undefined) out.jsonLine(event);
  }
  tree.end();
  if (last === undefined || !isResting(last)) {
    if (!json) out.note(keepsRunning(id));
    return 130;
  }
  if (json) out.jsonLine({ run: last });
  else await conclude(printable(last), context);
  return last.status === "verified" || last.status === "awaiting_approval" ? 0 : 5;
}

/** Asked while the run continues; the user has to know that it waits for them, unless that was long ago. */
async function sayQuestion(approval: Approval, tree: LiveTree, { out, connect }: CommandContext): Promise<void> {
  if (approval.kind !== "command" && approval.kind !== "question") return;
  const { items } = await (await connect()).call("approval.list", { run: approval.run });
  if (items.some((known) => known.id === approval.id && known.status !== "waiting")) return;
  const { id, kind, question, details } = printable(approval);
  const way = kind === "question" ? '--answer "…"' : "[--reject]";
  tree.say(`${out.paint("yellow", "asks")}  ${question}  ${out.paint("dim", `sylk approve ${id} ${way}`)}`);
  if (kind === "question") for (const detail of details) tree.say(out.paint("dim", `      ${detail}`));
}

async function conclude(run: Run, { out, connect }: CommandContext): Promise<void> {
  for (const line of resultLines(run, out)) out.line(line);
  if (run.status === "awaiting_approval") {
    out.line(`  approve it: sylk approve ${run.id}    reject it: sylk approve ${run.id} --reject`);
    return;
  }
  if (run.commit === undefined) return;
  const client = await connect();
  const { files } = await client.call("run.diff", { id: run.id });
  out.table(
    ["", "", ""],
    files.map(({ path, kind, added, removed }) => [`  ${kind}`, path, `+${added ?? "?"} -${removed ?? "?"}`]),
  );
  const { items } = await client.call("approval.list", { run: run.id });
  if (items.some(({ kind, status }) => kind === "evidence" && status === "waiting"))
    out.line(`  accept its evidence: sylk approve ${run.id}`);
  out.line(`  show it: sylk diff ${run.id}    merge it: sylk merge ${run.id}    discard it: sylk discard ${run.id}`);
}
