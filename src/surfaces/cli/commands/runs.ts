/** Runs on the command line: look, decide, go on, take or drop. */
import type { Run, RunId } from "../../../contract/index.ts";
import type { WrittenCommand } from "../command.ts";
import { newestRun } from "../newest.ts";
import { idOrNewest, resolveId } from "../resolve-id.ts";
import { adjustCommand } from "../dag/adjust-command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { nextSteps, stepLines } from "../runs/next-steps.ts";
import { costText, graphLines, planLines, resultLines } from "../runs/render-run.ts";
import { waitFlag, waitOf } from "../wait-flag.ts";
import { ago, approving, stopping, titleLine, tokens } from "../wording.ts";
import { follow } from "./run.ts";

const exampleId = "run_01jd8q3m7k4x9t2v5b8n1c";

export const list = operationCommand("run.list", {
  print({ items }, out) {
    if (items.length === 0) return out.line('No runs here yet; "sylk run" starts one');
    out.table(
      ["run", "status", "nodes", "change", "when", "request"],
      items.map((run) => [
        run.id,
        run.status,
        `${run.nodes.succeeded}/${run.nodes.total}`,
        run.outcome,
        ago(run.createdAt),
        run.request.split("\n")[0]!.slice(0, 60),
      ]),
    );
  },
});

export const show = operationCommand("run.get", {
  fields: ["id"],
  newest: newestRun(""),
  print({ run }, out) {
    out.line(`${out.paint("bold", run.request)}  ${out.paint("dim", run.id)}`);
    for (const line of [...planLines(run, out), ...graphLines(run, out), ...resultLines(run, out)]) out.line(line);
    if (run.workspace !== undefined)
      out.line(out.paint("dim", `branch ${run.workspace.branch} in ${run.workspace.tree}`));
    if (run.outcome !== "open")
      out.line(`The change was ${run.outcome}${run.mergedAs === undefined ? "" : ` as ${run.mergedAs.slice(0, 10)}`}.`);
    stepLines(nextSteps(run)).forEach((line) => out.line(line));
  },
});

const running = newestRun("that is running", ({ status }) => status === "running");

const byNode = {
  fields: ["id", "node"],
  print: ({ run }: { readonly run: Run }, out: Output) => printGraph(run, out),
} as const;

export const pause = operationCommand("run.pause", { ...byNode, details: stopping, fields: ["id"], newest: running });
export const retry = operationCommand("run.retry", byNode);
export const skip = operationCommand("run.skip", byNode);
export const answer = operationCommand("run.answer", { ...byNode, details: approving, fields: ["id", "decision"] });
export const adjust = adjustCommand("run.adjust", byNode, exampleId);

export const budget = operationCommand("run.budget", {
  example: `sylk run budget ${exampleId} 400k --reason "the parser's tests are worth it"`,
  details:
    'The old limit, the new one and your reason go into the audit. "sylk run retry" repeats the node that failed.',
  fields: ["id", "tokens"],
  adjust: (input) => ({ ...input, tokens: tokens(String(input.tokens)) }),
  print({ run }, out, { args }) {
    out.line(`${run.id} may use ${tokens(String(args[1]))} tokens (${costText(run)})`);
    stepLines(nextSteps(run)).forEach((line) => out.line(line));
  },
});

export const interrupt = operationCommand("run.interrupt", {
  details: stopping,
  fields: ["id"],
  newest: running,
  print: ({ run }, out) => printStatus(run, out),
});
export const cancel = operationCommand("run.cancel", {
  details: stopping,
  fields: ["id"],
  newest: newestRun("that has not ended", ({ status }) => unfinished.has(status), true),
  print: ({ run }, out) => printStatus(run, out),
});

const unfinished: ReadonlySet<string> = new Set(["planning", "awaiting_approval", "running", "paused", "blocked"]);
const resting = newestRun("that is paused", ({ status }) => status === "paused" || status === "blocked");

export const feedback: WrittenCommand = {
  operation: "run.feedback",
  example: `sylk run feedback ${exampleId} "Also handle negative numbers"`,
  details:
    "A plan that waits is made again. The change so far stays on the run's branch. The new plan waits for your approval, unless you say --yes.",
  arguments: [
    { name: "id", describe: "Run whose plan waits for approval, or that has ended and is still open", required: true },
    { name: "text", describe: "What to do differently, or in addition", required: true },
  ],
  flags: { yes: { describe: "approve the new plan without asking", short: "y" } },
  async run(context) {
    const { args, flags, connect, json, out } = context;
    const client = await connect();
    const id = (await resolveId(String(args[0]), ["run"], "<id>", client, { isForProgram: json })) as RunId;
    const input = { id, text: String(args[1]), approve: flags.yes === true };
    const { run } = await client.call("run.feedback", input);
    if (!json) out.line(titleLine(input.text.split("\n")[0]!, run.id, out));
    return follow(run, context);
  },
};

const resumeOperation = operationCommand("run.resume", {
  fields: ["id"],
  newest: resting,
  print: ({ run }, out) => printStatus(run, out),
});
export const resume: WrittenCommand = {
  ...resumeOperation,
  async run(context) {
    if (context.json) return resumeOperation.run(context);
    const id = await idOrNewest(context.args[0] as string | undefined, ["run"], resting, context);
    const { run } = await (await context.connect()).call("run.resume", { id: id as RunId });
    return follow(run, context);
  },
};

export const diff = operationCommand("run.diff", {
  fields: ["id"],
  newest: newestRun("with a change", ({ workspace }) => workspace !== undefined),
  print({ files, patch, truncated }, out) {
    if (files.length === 0) return out.line("Nothing was changed");
    for (const line of patch.trimEnd().split("\n"))
      out.line(line.startsWith("+") ? out.paint("green", line) : line.startsWith("-") ? out.paint("red", line) : line);
    if (truncated) out.note("the patch is cut off; the branch has all of it");
  },
});

export const merge = operationCommand("run.merge", {
  fields: ["id"],
  newest: newestRun("that can be merged", ({ status, outcome }) => status === "verified" && outcome === "open"),
  without: ["waitMs"],
  flags: waitFlag,
  adjust: (input, { flags }) => ({ ...input, ...waitOf(flags) }),
  print({ run, commit, already, kept, told }, out) {
    out.line(`${already ? `${run.id} was already merged` : `Merged ${run.id}`} as ${commit.slice(0, 10)}`);
    if (kept !== undefined) out.line(`Its tree and branch stay, because ${kept}`);
    if (told.length > 0) out.line(`Told ${told.map(({ name }) => name).join(", ")}`);
  },
});

const discardOne = operationCommand("run.discard", {
  fields: ["id"],
  newest: newestRun(
    "that can be discarded",
    ({ status, outcome }) => outcome === "open" && !unfinished.has(status),
    true,
  ),
  flags: { finished: { describe: "clear all merged, empty and failed runs instead, and list what stays" } },
  print({ run, reference }, out) {
    const kept = reference === undefined ? "it left no changes" : `everything is kept under ${reference}`;
    out.line(
      run.outcome === "merged"
        ? `Removed its worktree and branch; the change stays merged; ${kept}`
        : `Discarded; ${kept}`,
    );
  },
});
export const discard: WrittenCommand = {
  ...discardOne,
  async run(context) {
    if (context.flags.finished === true) return clear.run(context);
    return discardOne.run(context);
  },
};

export const clear = operationCommand("run.clear", {
  print({ cleared, kept }, out) {
    if (cleared.length === 0) out.line("Nothing to clear");
    for (const { run, why, reference } of cleared)
      out.line(`Cleared ${run}  ${why}${reference === undefined ? "" : `; its changes are kept under ${reference}`}`);
    for (const { run, branch, why } of kept) out.line(`Kept    ${run}  ${branch}: ${why}`);
  },
});

function printGraph(run: Run, out: Output): void {
  for (const line of graphLines(run, out)) out.line(line);
}

function printStatus(run: Run, out: Output): void {
  out.line(`${run.id} is ${run.status}${run.reason === undefined ? "" : `: ${run.reason}`}  (${costText(run)})`);
}
