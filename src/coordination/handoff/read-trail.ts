/** Reads an agent's steps since its last start from the log: pure, over its events, the newest first. */
import type { AgentId, Handoff, LogEvent } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";

type Trail = Pick<Handoff, "touched" | "step" | "findings" | "steps">;
type Step = Handoff["steps"][number];
type Data = Readonly<Record<string, { readonly [field: string]: unknown } | undefined>>;

const stepsShown = 20;
const findingsShown = 10;
const pathsShown = 200;
/** Events that happen to an agent are not its steps. */
const notItsDoing = new Set(["agent.offline", "agent.ended", "reservation.expired", "work-item.claim-expired"]);

/** A released or finished item is not in progress. */
const endings = /\.(released|closed)$/;

export function readTrail(events: readonly LogEvent[], agent: AgentId): Trail {
  const came = events.findIndex(
    ({ type, subject }) => subject === agent && (type === "agent.registered" || type === "agent.returned"),
  );
  const own = (came < 0 ? events : events.slice(0, came + 1)).filter(({ type }) => !notItsDoing.has(type));
  const steps = own.map(stepOf);
  const done = new Set(steps.filter(({ type }) => endings.test(type)).map(({ subject }) => subject));
  const step = steps.find(({ subject }) => !done.has(subject)) ?? steps[0];
  return {
    touched: [...new Set(own.filter(isGrant).flatMap(pathsOf))].slice(0, pathsShown),
    ...defined({ step }),
    findings: steps.filter(({ type }) => type.startsWith("finding.")).slice(0, findingsShown),
    steps: steps.slice(0, stepsShown),
  };
}

const isGrant = ({ type }: LogEvent): boolean => type === "reservation.acquired";

function pathsOf({ data }: LogEvent): readonly string[] {
  const { paths, patterns } = (data as Data).reservation ?? {};
  return [paths, patterns].flatMap((list) => (Array.isArray(list) ? (list as string[]) : []));
}

function stepOf(event: LogEvent): Step {
  const { at, type, subject } = event;
  return { at, type, subject, what: wordsFor(event) };
}

/** The thing an event is about, by whatever it calls itself. */
function wordsFor(event: LogEvent): string {
  const paths = pathsOf(event);
  if (paths.length > 0) return paths.join(" ");
  const things = Object.values(event.data as Data).filter((thing) => typeof thing === "object" && thing !== null);
  const named = things.flatMap((thing) => [thing?.summary, thing?.title, thing?.request, thing?.name]);
  return named.find((text): text is string => typeof text === "string") ?? event.subject;
}
