/**
 * What the event log says of one node: its moves, what was asked of whom, its model calls, and the artifacts it left.
 *
 *   events of the run or graph -> those that name the node, or answer its dispatch -> lines, the newest artifacts
 */
import type { LogEvent } from "../daemon/contract.ts";
import { words } from "../parts/wording.ts";

export type LogLine = { readonly key: string; readonly sequence: number; readonly at: number; readonly text: string };
export type NodeLog = {
  readonly lines: readonly LogLine[];
  /** By name; of the last attempt that succeeded. */
  readonly artifacts: readonly (readonly [name: string, value: string])[];
};
type Data = Readonly<Record<string, unknown>>;

export function readNodeLog(node: string, events: readonly LogEvent[]): NodeLog {
  const dispatches = new Set<string>();
  const lines: LogLine[] = [];
  let artifacts: NodeLog["artifacts"] = [];
  for (const { sequence, at, type, data } of events) {
    const message = part(data, "message");
    const payload = part(message, "payload");
    if (message["type"] === "TASK_DISPATCH" && part(payload, "node")["id"] === node)
      dispatches.add(text(message, "correlationId"));
    if (message["type"] === "TASK_COMPLETE" && dispatches.has(text(message, "correlationId")))
      artifacts = namedTexts(part(payload, "artifacts"));
    for (const [place, line] of linesOf({ type, data, message, payload }, node, dispatches).entries())
      lines.push({ key: `${sequence} ${place}`, sequence, at, text: line });
  }
  return { lines, artifacts };
}

export function namedTexts(values: Data): NodeLog["artifacts"] {
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

type Fact = { readonly type: string; readonly data: Data; readonly message: Data; readonly payload: Data };

function linesOf({ type, data, message, payload }: Fact, node: string, dispatches: ReadonlySet<string>): string[] {
  if (type === "dag.changed")
    return (data["transitions"] as readonly Data[]).filter((move) => move["node"] === node).map(moveText);
  if (type === "run.message") {
    if (!dispatches.has(text(message, "correlationId"))) return [];
    const about = [payload["summary"], payload["reason"], payload["question"]].find((one) => typeof one === "string");
    const what = words(text(message, "type")).toLowerCase();
    return [`${text(message, "from")} to ${text(message, "to")}: ${what}${about === undefined ? "" : `, ${about}`}`];
  }
  if (data["node"] !== node) return [];
  if (type === "run.node-changed") return [moveText(data)];
  if (type === "run.spent") return [`${text(data, "model")} answered: ${tokensOf(part(data, "cost"))}`];
  if (type === "run.model-retried") return [`model call is repeated: ${text(data, "reason")}`];
  if (type === "run.skills-loaded") return [`${(data["loaded"] as readonly unknown[]).length} skills loaded`];
  return [];
}

function moveText(move: Data): string {
  const why = text(move, "error") || text(move, "cause");
  const agent = text(move, "agent");
  const by = agent === "" ? "" : ` by ${agent}`;
  const attempt = Number(move["attempt"]);
  const which = attempt === 0 ? "" : `, attempt ${attempt}`;
  return `${words(text(move, "to"))}, was ${words(text(move, "from"))}${which}${by}${why === "" ? "" : `: ${why}`}`;
}

function tokensOf(cost: Data): string {
  if (Number(cost["unknownCalls"] ?? 0) > 0) return "tokens unknown";
  return `${(Number(cost["inputTokens"]) + Number(cost["outputTokens"])).toLocaleString("en")} tokens`;
}

function part(data: Data, key: string): Data {
  const value = data[key];
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function text(data: Data, key: string): string {
  const value = data[key];
  return typeof value === "string" ? value : "";
}
