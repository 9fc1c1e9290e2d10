/** A run for eyes: plan, live tree with progress and cost, findings, result. */
import type { Check, Run, RunNode } from "../../../contract/index.ts";
import { nodeMarks } from "../node-marks.ts";
import type { Output, Tone } from "../output.ts";

const statusTones: Readonly<Partial<Record<Run["status"], Tone>>> = {
  verified: "green",
  unverified: "yellow",
  failed: "red",
  cancelled: "red",
  awaiting_approval: "yellow",
  paused: "yellow",
};
const barWidth = 20;

export function planLines(run: Run, out: Output): readonly string[] {
  if (run.plan === undefined) return [];
  const titles = new Map(run.plan.nodes.map(({ id, title }) => [id, title]));
  const nodes = run.plan.nodes.map(({ title, dependsOn }, index) => {
    const after = dependsOn
      .map((id) => run.plan!.nodes.findIndex((node) => node.id === id) + 1)
      .filter((position) => titles.size >= position);
    return `  ${index + 1}. ${title}${after.length === 0 ? "" : out.paint("dim", `  after ${after.join(", ")}`)}`;
  });
  return [`${out.paint("bold", "Plan")}  ${run.plan.summary}`, ...nodes];
}

/** Short enough to be drawn again and again: of what is not an Engineer's work, what happens now or went wrong. */
export function treeLines(run: Run, out: Output): readonly string[] {
  return linesOf(run, run.nodes.filter(isTelling), out);
}

/** Every node of its graph. */
export function graphLines(run: Run, out: Output): readonly string[] {
  return linesOf(run, run.nodes, out);
}

function linesOf(run: Run, nodes: readonly RunNode[], out: Output): readonly string[] {
  return [
    headLine(run, out),
    ...nodes.map((node) => nodeLine(node, run.checks, out)),
    ...run.checks.map((check) => checkLine(check, out)),
  ];
}

const telling: ReadonlySet<RunNode["state"]> = new Set(["running", "failed", "skipped"]);

function isTelling({ kind, state }: RunNode): boolean {
  return kind === "engineer" || telling.has(state);
}

function headLine(run: Run, out: Output): string {
  const work = run.nodes.filter(({ kind }) => kind === "engineer");
  const done = work.filter(({ state }) => state === "succeeded").length;
  const filled = work.length === 0 ? 0 : Math.round((done / work.length) * barWidth);
  const bar = work.length === 0 ? "" : `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${done}/${work.length}  `;
  return `${out.paint(statusTones[run.status] ?? "cyan", run.status.padEnd(10))} ${bar}${costText(run)}${run.label === undefined ? "" : out.paint("yellow", `  [${run.label}]`)}`;
}

function nodeLine(node: RunNode, checks: readonly Check[], out: Output): string {
  const { kind, state, title, agent, attempt, round, error, summary, question } = node;
  const [mark, tone] = checkMark(node, checks) ?? nodeMarks[state];
  const who = agent === undefined ? "" : out.paint("dim", `  ${agent}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
  const said = error ?? (state === "succeeded" ? summary : question);
  return `  ${out.paint(tone, mark)} ${kind === "engineer" && round > 0 ? out.paint("yellow", "fix ") : ""}${title}${who}${said === undefined ? "" : out.paint("dim", `\n      ${said}`)}`;
}

const checkMarks: Readonly<Partial<Record<Check["outcome"], readonly [string, Tone]>>> = {
  pass: ["✔", "green"],
  fail: ["✘", "red"],
  "timed-out": ["✘", "red"],
};

/** A check that was carried out and is not green must not look so. */
function checkMark(
  { kind, role, round, state }: RunNode,
  checks: readonly Check[],
): readonly [string, Tone] | undefined {
  if (kind !== "check" || state !== "succeeded") return undefined;
  const wanted = role === "inspector" ? "inspection" : "tests";
  const outcome = checks.find((check) => check.kind === wanted && check.round === round)?.outcome;
  return (outcome === undefined ? undefined : checkMarks[outcome]) ?? ["–", "yellow"];
}

function checkLine({ kind, outcome, summary, command, round }: Check, out: Output): string {
  const tone: Tone = outcome === "pass" ? "green" : outcome === "fail" || outcome === "timed-out" ? "red" : "yellow";
  return `  ${out.paint(tone, outcome.padEnd(8))} ${kind}${round > 0 ? ` after fix ${round}` : ""}: ${summary}${command === undefined ? "" : out.paint("dim", `  (${command.join(" ")})`)}`;
}

export function costText({ cost: { calls, inputTokens, outputTokens, unknownCalls } }: Pick<Run, "cost">): string {
  const unknown = unknownCalls === 0 ? "" : `, ${unknownCalls} calls of unknown size`;
  return `${calls} model calls, ${inputTokens + outputTokens} tokens${unknown}`;
}

export function resultLines(run: Run, out: Output): readonly string[] {
  const tone = statusTones[run.status] ?? "cyan";
  const lines = [`${out.paint(tone, run.status)}${run.reason === undefined ? "" : `: ${run.reason}`}`];
  if (run.findings.length > 0)
    lines.push(
      ...run.findings.map(({ category, summary, files }) =>
        out.paint(
          "dim",
          `  found by ${category}: ${summary}${files[0] === undefined ? "" : `  ${files[0].path}${files[0].line === undefined ? "" : `:${files[0].line}`}`}`,
        ),
      ),
    );
  return lines;
}
