/**
 * One run as it happened: the plan's nodes, the checks of each round, the fixes they led to, what was found and spent.
 */
import { progress, statusChip } from "./draw-runs.js";
import { element } from "./element.js";
import { command, counted, runningTime, span } from "./wording.js";

/** @import { Check, CheckFailure, Finding, NodeState, Run, RunNode } from "../../../contract/index.ts" */

/** @type {Readonly<Record<NodeState, string>>} */
const marks = {
  pending: "·",
  queued: "·",
  running: "▸",
  blocked: "‖",
  succeeded: "✓",
  failed: "✕",
  skipped: "–",
  cancelled: "–",
};
const deepest = 4;

/** @param {Run} run */
export function drawRun(run) {
  return [head(run), ...rounds(run), ...foundAndSpent(run)];
}

/** @param {string} problem */
export function drawNoRun(problem) {
  return [
    element("h2", {}, "This run cannot be shown"),
    element("p", { class: "empty" }, problem, " "),
    element("p", {}, element("a", { href: "/", "data-run": "" }, "Show the newest run")),
  ];
}

/** @param {Run} run */
function head(run) {
  const { id, request, status, reason, label, model, nodes, createdAt } = run;
  const work = nodes.filter(({ kind }) => kind === "engineer");
  const succeeded = work.filter(({ state }) => state === "succeeded").length;
  const [title = "", ...rest] = request.split("\n");
  return element(
    "div",
    { class: "run-head", key: "head" },
    element("h2", {}, title),
    rest.length > 0 &&
      element(
        "details",
        {},
        element("summary", {}, "The whole request"),
        element("p", { class: "prose" }, rest.join("\n").trim()),
      ),
    element(
      "div",
      { class: "line" },
      statusChip(status),
      label !== undefined && element("span", { class: "chip label" }, label),
      progress({ succeeded, total: work.length }),
      element("span", { class: "end quiet" }, runningTime("since", createdAt)),
    ),
    reason !== undefined && element("p", { class: "reason" }, reason),
    element(
      "p",
      { class: "line quiet ids" },
      element("code", {}, id),
      label === undefined && model !== undefined && element("span", {}, model),
    ),
    nextSteps(run),
  );
}

/**
 * What a person can do with it now, in the words of the command line.
 *
 * @param {Run} run
 */
function nextSteps({ id, status, commit, outcome }) {
  const steps = [
    ...(status === "awaiting_approval" ? [`sylk approve ${id}`] : []),
    ...(status === "planning" || status === "running" ? [`sylk interrupt ${id}`] : []),
    ...(status === "paused" || status === "blocked" ? [`sylk resume ${id}`] : []),
    ...(commit !== undefined && outcome === "open" ? [`sylk diff ${id}`] : []),
    ...(commit !== undefined && status === "verified" ? [`sylk merge ${id}`] : []),
    ...(commit !== undefined && status === "unverified" ? [`sylk merge ${id} --unverified`] : []),
  ];
  if (outcome !== "open") return element("p", { class: "quiet" }, `The change was ${outcome}.`);
  return steps.length > 0 && element("div", { class: "line steps" }, steps.map(command));
}

/** @param {Run} run */
function rounds({ plan, nodes, checks }) {
  const plans = nodes.filter(({ kind }) => kind === "plan").map(({ round }) => round);
  const last = Math.max(0, ...plans);
  const work = nodes.filter(({ kind }) => kind === "engineer");
  // A plan that was replaced before it was carried out has neither work nor checks.
  const numbers = [...new Set([last, ...[...work, ...checks].map(({ round }) => round)])].sort((a, b) => a - b);
  if (nodes.length === 0) return [element("p", { class: "empty", key: "no-plan" }, "The plan is being made.")];
  return numbers.map((round) =>
    element(
      "div",
      { class: "round", key: `round-${round}` },
      element("h3", {}, roundTitle(round, plans)),
      round === last && plan !== undefined && element("p", { class: "quiet" }, plan.summary),
      element("ol", { class: "tree" }, tree(work.filter((node) => node.round === round))),
      element("ul", { class: "checks" }, checks.filter((check) => check.round === round).map(checkRow)),
    ),
  );
}

/**
 * @param {number} round
 * @param {readonly number[]} plans the rounds that begin with a plan
 */
function roundTitle(round, plans) {
  if (round === 0) return "Plan";
  if (plans.includes(round)) return "Plan after feedback";
  return `Fix round ${round - Math.max(0, ...plans.filter((plan) => plan < round))}`;
}

/**
 * In the order of the plan, each node as far to the right as it has others to wait for.
 *
 * @param {readonly RunNode[]} nodes
 */
function tree(nodes) {
  const positions = new Map(nodes.map(({ id }, index) => [id, index + 1]));
  /** @type {Map<string, number>} */
  const depths = new Map();
  for (const { id, dependsOn } of nodes)
    depths.set(id, Math.max(0, ...dependsOn.map((other) => (depths.get(other) ?? -1) + 1)));
  return nodes.map((node) => {
    const after = node.dependsOn.flatMap((id) => positions.get(id) ?? []);
    return nodeRow(node, {
      depth: Math.min(deepest, depths.get(node.id) ?? 0),
      number: positions.get(node.id) ?? 0,
      after,
    });
  });
}

/**
 * @param {RunNode} node
 * @param {{ readonly depth: number, readonly number: number, readonly after: readonly number[] }} place
 */
function nodeRow(
  { id, title, role, state, agent, attempt, startedAt, endedAt, summary, notes = [], error, question },
  { depth, number, after },
) {
  const facts = [
    agent ?? role,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(after.length > 0 ? [`after ${after.join(", ")}`] : []),
    ...(startedAt !== undefined && endedAt !== undefined ? [span(endedAt - startedAt)] : []),
  ];
  return element(
    "li",
    { key: id, class: `node depth-${depth}`, "data-state": state },
    element("span", { class: "mark", "aria-hidden": "true" }, marks[state]),
    element(
      "div",
      { class: "node-text" },
      element(
        "div",
        { class: "line" },
        element("span", { class: "name" }, element("span", { class: "numbers quiet" }, `${number}. `), title),
        element("span", { class: "end state" }, state),
      ),
      element("div", { class: "quiet facts" }, facts.join(" · ")),
      error !== undefined && element("p", { class: "problem" }, error),
      question !== undefined && element("p", { class: "quiet" }, `asks: ${question}`),
      error === undefined &&
        state === "succeeded" &&
        summary !== undefined &&
        element("p", { class: "quiet" }, summary),
      notes.map((note) => element("p", { class: "note" }, `but ${note}`)),
    ),
  );
}

/** @param {Check} check */
function checkRow({ kind, outcome, summary, command: argv, source, at, failures = [] }) {
  return element(
    "li",
    { key: `${kind}-${at}`, class: "check", "data-outcome": outcome },
    element(
      "div",
      { class: "line" },
      element("span", { class: "chip outcome" }, outcome),
      element("strong", {}, kind),
      element("span", { class: "name" }, summary),
    ),
    argv !== undefined && element("div", { class: "line quiet" }, element("code", { title: source }, argv.join(" "))),
    failures.length > 0 && element("ul", { class: "failures" }, failures.map(failureRow)),
  );
}

/**
 * A test or rule that failed, and what it printed.
 *
 * @param {CheckFailure} failure
 */
function failureRow({ name, file, line, output }) {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return element(
    "li",
    { class: "failure" },
    (name !== undefined || place !== undefined) &&
      element(
        "div",
        { class: "line" },
        name !== undefined && element("span", { class: "name" }, name),
        place !== undefined && element("code", {}, place),
      ),
    output !== "" && element("pre", {}, output),
  );
}

/** @param {Run} run */
function foundAndSpent({ findings, cost }) {
  const { calls, inputTokens, outputTokens, unknownCalls } = cost;
  const unknown = unknownCalls === 0 ? "" : `; ${counted(unknownCalls, "call")} of unknown size are in no total`;
  return [
    findings.length > 0 &&
      element(
        "div",
        { class: "round", key: "findings" },
        element("h3", {}, "Findings"),
        element("ul", { class: "findings" }, findings.map(findingRow)),
      ),
    element(
      "p",
      { class: "cost quiet", key: "cost" },
      `${counted(calls, "model call")}, ${counted(inputTokens, "token")} in, ${counted(outputTokens, "token")} out${unknown}`,
    ),
  ];
}

/** @param {Finding} finding */
function findingRow({ id, severity, category, summary, files, evidence, by }) {
  const places = files.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  return element(
    "li",
    { key: id, class: "finding", "data-severity": severity },
    element(
      "div",
      { class: "line" },
      element("span", { class: "chip severity" }, severity),
      element("span", { class: "name" }, summary),
    ),
    element(
      "div",
      { class: "line quiet" },
      places.map((place) => element("code", {}, place)),
      element("span", {}, `${category}, by ${by}`),
    ),
    evidence !== undefined &&
      element("details", {}, element("summary", {}, "What was printed"), element("pre", {}, evidence)),
  );
}
