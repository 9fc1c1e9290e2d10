/** A DAG run for eyes: a bar, then one line a node, indented by its depth in the graph. */
import type { Dag, DagNode } from "../../../contract/index.ts";
import { nodeMarks } from "../node-marks.ts";
import type { Output, Tone } from "../output.ts";

const tones: Readonly<Record<Dag["status"], Tone>> = {
  running: "cyan",
  waiting: "yellow",
  paused: "yellow",
  succeeded: "green",
  failed: "red",
  cancelled: "red",
};
const barWidth = 20;
const deepestShown = 8;
const dull: ReadonlySet<DagNode["state"]> = new Set(["pending", "queued", "succeeded", "skipped", "cancelled"]);

export function headLine(dag: Dag, now: number, out: Output): string {
  const { done, total } = dag.progress;
  const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
  const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${done}/${total}`;
  const isOpen = dag.status === "running" || dag.status === "waiting" || dag.status === "paused";
  const spent = span((isOpen ? now : dag.updatedAt) - dag.createdAt);
  const eta =
    dag.status === "running"
      ? dag.etaMs === "unknown"
        ? "  time left unknown"
        : `  about ${span(dag.etaMs)} left`
      : "";
  const label = dag.label === undefined ? "" : out.paint("yellow", `  [${dag.label}]`);
  return `${out.paint(tones[dag.status], dag.status.padEnd(9))} ${bar}  ${spent}${eta}${label}`;
}

/** At most `room` lines: of a large graph what happens now and what went wrong, the rest counted. */
export function nodeLines(dag: Dag, now: number, out: Output, room = Number.POSITIVE_INFINITY): readonly string[] {
  const depths = depthsOf(dag.nodes);
  const shown =
    dag.nodes.length <= room ? dag.nodes : dag.nodes.filter(({ state }) => !dull.has(state)).slice(0, room - 1);
  const lines = shown.map((node) => nodeLine(node, depths.get(node.name) ?? 0, now, out));
  const hidden = dag.nodes.length - shown.length;
  return hidden === 0 ? lines : [...lines, out.paint("dim", `  … ${hidden} more: ${countsOf(dag.nodes)}`)];
}

export function nodeLine(node: DagNode, depth: number, now: number, out: Output): string {
  const [mark, tone] = nodeMarks[node.state];
  const facts = [timeOf(node, now), node.attempt > 1 ? `attempt ${node.attempt}` : "", waitOf(node, now)];
  const said = node.question ?? node.error ?? (node.blockedOn === undefined ? causeText(node) : node.cause);
  const tail = [...facts, said ?? ""].filter((text) => text !== "").join("  ");
  const indent = "  ".repeat(1 + Math.min(depth, deepestShown));
  return `${indent}${out.paint(tone, mark)} ${node.name}${tail === "" ? "" : out.paint("dim", `  ${tail}`)}`;
}

const causes: Readonly<Record<string, string>> = {
  interrupted: "interrupted, and runs again",
  "cancel-requested": "cancelled",
  "skip-requested": "skipped by request",
  "retry-requested": "to run again",
};

function causeText({ state, cause = "" }: DagNode): string {
  if (state === "running" || state === "succeeded") return "";
  const [, how, other] = /^(failed|skipped):(.+)$/.exec(cause) ?? [];
  if (how === undefined) return causes[cause] ?? "";
  return how === "failed" ? `because ${other} failed` : `because ${other} was skipped`;
}

function timeOf({ startedAt, endedAt, state }: DagNode, now: number): string {
  if (startedAt === undefined) return "";
  if (state === "running") return span(now - startedAt);
  return endedAt === undefined ? "" : span(endedAt - startedAt);
}

function waitOf({ retryAt, state }: DagNode, now: number): string {
  return state === "queued" && retryAt !== undefined ? `again in ${span(retryAt - now)}` : "";
}

function countsOf(nodes: readonly DagNode[]): string {
  const counts = new Map<string, number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
}

/** The longest way down to each node. */
export function depthsOf(nodes: readonly DagNode[]): ReadonlyMap<string, number> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const depths = new Map<string, number>();
  for (const { name } of nodes) {
    const stack = [name];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const parents = byName.get(top)?.dependsOn.filter((parent) => byName.has(parent)) ?? [];
      const open = depths.has(top) ? undefined : parents.find((parent) => !depths.has(parent));
      if (open !== undefined) {
        stack.push(open);
        continue;
      }
      if (!depths.has(top)) depths.set(top, Math.max(-1, ...parents.map((parent) => depths.get(parent) ?? 0)) + 1);
      stack.pop();
    }
  }
  return depths;
}

export function resultLines(dag: Dag, out: Output): readonly string[] {
  const { status, nodes, id } = dag;
  const head = `${out.paint(tones[status], status)}  ${countsOf(nodes)}${dag.reason === undefined ? "" : `  ${dag.reason}`}`;
  const failed = nodes.find(({ state }) => state === "failed");
  const asking = nodes.filter(({ question }) => question !== undefined);
  return [
    head,
    ...asking.map(
      ({ name, question = "" }) => `  ${name} asks: ${question}\n    sylk dag answer ${id} ${name} approve`,
    ),
    ...(failed === undefined
      ? []
      : [`  show it: sylk dag show ${id} --node ${failed.name}    retry it: sylk dag retry ${id} ${failed.name}`]),
  ];
}

/** A second and less with its tenths: most nodes take no longer. */
function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
