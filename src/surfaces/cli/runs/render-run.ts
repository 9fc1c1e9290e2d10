/** A run for eyes: plan, live tree with progress and cost, findings, result. */
import type { Check, CheckFailure, Run, RunNode } from "../../../contract/index.ts";
import { nodeMarks } from "../node-marks.ts";
import type { Output, Tone } from "../output.ts";
import { wrapWords } from "../table.ts";
import { counted } from "../wording.ts";

const statusTones: Readonly<Partial<Record<Run["status"], Tone>>> = {
  verified: "green",
  unverified: "yellow",
  failed: "red",
  cancelled: "red",
  awaiting_approval: "yellow",
  paused: "yellow",
};
const barWidth = 20;

/** The planned work of the run as it is now: adjustments included, corrections not. */
export function plannedNodes({ nodes }: Run): readonly RunNode[] {
  const round = nodes.findLast(({ kind }) => kind === "plan")?.round ?? 0;
  return nodes.filter((node) => node.kind === "engineer" && node.round === round);
}

/** A plan that waits for a decision is shown with the files and checks that decide it. */
export function planLines(run: Run, out: Output): readonly string[] {
  if (run.plan === undefined) return [];
  const { summary, checks = [], existing = [] } = run.plan;
  const work = plannedNodes(run);
  const isAsked = asksForApproval(run);
  const nodes = work.flatMap(({ title, dependsOn, files = [] }, index) => {
    const after = dependsOn
      .map((id) => work.findIndex((node) => node.id === id) + 1)
      .filter((position) => position > 0);
    const line = `  ${index + 1}. ${title}${after.length === 0 ? "" : out.paint("dim", `  after ${after.join(", ")}`)}`;
    return isAsked && files.length > 0 ? [line, out.paint("dim", `       files: ${files.join(", ")}`)] : [line];
  });
  const judged = checks.map(({ kind, command }) => out.paint("dim", `  ${kind}: ${command.join(" ")}`));
  const unjudged = out.paint("yellow", "  no tests will be run, so the change cannot be verified");
  const hasTests = checks.some(({ kind }) => kind === "tests");
  return [
    ...wrapWords(summary, out.width - "Plan  ".length).map((line, at) =>
      at === 0 ? `${out.paint("bold", "Plan")}  ${line}` : `      ${line}`,
    ),
    ...nodes,
    ...existing.map(({ title, files }) => out.paint("dim", `  exists already: ${title} (${files.join(", ")})`)),
    ...(isAsked ? [...judged, ...(hasTests ? [] : [unjudged])] : []),
  ];
}

/** Also in the moment before the question is put. */
export function asksForApproval({ nodes }: Pick<Run, "nodes">): boolean {
  return nodes.some(({ kind, state }) => kind === "approval" && undecided.has(state));
}
const undecided: ReadonlySet<string> = new Set(["pending", "queued", "running", "blocked"]);

/** What each engineer is told, in full. */
export function promptLines(run: Run, out: Output): readonly string[] {
  return plannedNodes(run).flatMap(({ title, prompt }, index) => [
    `${index + 1}. ${out.paint("bold", title)}`,
    ...prompt.split("\n").map((line) => `     ${line}`),
  ]);
}

/** Short enough to be drawn again and again: of what is not an Engineer's work, what happens now or went wrong. */
export function treeLines(run: Run, out: Output): readonly string[] {
  const last = run.checks.filter(
    ({ kind, at }, index) => !run.checks.some((later, other) => later.kind === kind && later.at >= at && other > index),
  );
  return linesOf(run, { nodes: run.nodes.filter(isTelling), explained: new Set(last), brief: true }, out);
}

/** Every node of its graph. */
export function graphLines(run: Run, out: Output): readonly string[] {
  return linesOf(run, { nodes: run.nodes, explained: new Set(run.checks), brief: false }, out);
}

type Shown = {
  readonly nodes: readonly RunNode[];
  /** Checks that are shown with what failed in them. */
  readonly explained: ReadonlySet<Check>;
  readonly brief: boolean;
};

function linesOf(run: Run, { nodes, explained, brief }: Shown, out: Output): readonly string[] {
  return [
    headLine(run, out),
    ...nodes.map((node) => nodeLine(node, run, out)),
    ...run.checks.flatMap((check) => [
      checkLine(check, run, out),
      ...(explained.has(check) ? failureLines(check, brief, out) : []),
    ]),
  ];
}

const briefFailures = 3;
const briefLines = 8;

/** Which tests or rules failed, and what they said. */
function failureLines({ failures = [] }: Check, brief: boolean, out: Output): readonly string[] {
  const shown = brief ? failures.slice(0, briefFailures) : failures;
  const left = failures.length - shown.length;
  return [
    ...shown.map((failure) => failureText(failure, brief, out)),
    ...(left === 0 ? [] : [out.paint("dim", `      and ${left} more; "sylk run show" lists them`)]),
  ];
}

function failureText({ name, file, line, output }: CheckFailure, brief: boolean, out: Output): string {
  const place = file === undefined ? "" : out.paint("dim", `  ${file}${line === undefined ? "" : `:${line}`}`);
  const title = name === undefined ? [] : [`      ${out.paint("red", "✘")} ${name}${place}`];
  const saysMore = output !== "" && !(name !== undefined && output.replaceAll(/\s+/g, " ").endsWith(name));
  const own = saysMore ? output.split("\n") : [];
  const lines = brief && own.length > briefLines ? [...own.slice(0, briefLines - 1), "…"] : own;
  return [...title, ...lines.map((text) => out.paint("dim", `        ${text}`))].join("\n");
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

/** The plan that a round belongs to, counted from 0, and how often it was corrected before. */
function passOf(round: number, { nodes }: Pick<Run, "nodes">): { readonly plan: number; readonly fix: number } {
  const plans = nodes.filter((node) => node.kind === "plan" && node.round <= round).map((node) => node.round);
  return { plan: Math.max(0, plans.length - 1), fix: round - Math.max(0, ...plans) };
}

function nodeLine(node: RunNode, run: Run, out: Output): string {
  const { kind, state, title, agent, attempt, round, error, summary, notes = [], question } = node;
  const [mark, tone] = checkMark(node, run.checks) ?? nodeMarks[state];
  const who = agent === undefined ? "" : out.paint("dim", `  ${agent}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
  const said = error ?? (state === "succeeded" ? summary : question);
  return `  ${out.paint(tone, mark)} ${kind === "engineer" && passOf(round, run).fix > 0 ? out.paint("yellow", "fix ") : ""}${title}${who}${said === undefined ? "" : out.paint("dim", `\n      ${said}`)}${notes.map((note) => out.paint("yellow", `\n      but ${note}`)).join("")}`;
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

function checkLine({ kind, outcome, summary, command, round }: Check, run: Run, out: Output): string {
  const { plan, fix } = passOf(round, run);
  const when = `${plan > 0 ? " after feedback" : ""}${fix > 0 ? ` after fix ${fix}` : ""}`;
  const tone: Tone = outcome === "pass" ? "green" : outcome === "fail" || outcome === "timed-out" ? "red" : "yellow";
  return `  ${out.paint(tone, outcome.padEnd(8))} ${kind}${when}: ${summary}${command === undefined ? "" : out.paint("dim", `  (${command.join(" ")})`)}`;
}

export function costText({ cost: { calls, inputTokens, outputTokens, unknownCalls } }: Pick<Run, "cost">): string {
  const unknown = unknownCalls === 0 ? "" : `, ${counted(unknownCalls, "call")} of unknown size`;
  return `${counted(calls, "model call")}, ${counted(inputTokens + outputTokens, "token")}${unknown}`;
}

export function resultLines(run: Run, out: Output): readonly string[] {
  const tone = statusTones[run.status] ?? "cyan";
  const lines = [`${out.paint(tone, run.status)}${run.reason === undefined ? "" : `: ${run.reason}`}`];
  // Runs of an older Sylk have findings alone.
  if (run.checks.every(({ failures }) => failures === undefined))
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
