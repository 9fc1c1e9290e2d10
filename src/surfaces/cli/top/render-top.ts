/**
 * The lines of `sylk top`: what needs the person first, then the agents. Pure, over a snapshot that is cleaned already.
 *
 *   wide enough for every column -> one table
 *   else                         -> two or three lines per agent; paths give way first, then the ends of lines
 */
import { notEnforcedText } from "../../../contract/situation.ts";
import type { AgentWait, PresentAgent } from "../../../contract/index.ts";
import { cutAtEnd, cutInMiddle, displayWidth } from "../display-width.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { counted, span } from "../wording.ts";
import type { TopSnapshot } from "./take-snapshot.ts";

export type TopTerms = {
  readonly now: number;
  readonly width: number;
  /** Lines that there is room for; undefined: any number. */
  readonly height?: number | undefined;
  readonly hasProjects: boolean;
  /** While the daemon does not answer. */
  readonly isReconnecting?: boolean;
  readonly paint: Output["paint"];
};

/** What is not known; none is "-". */
const unknown = "?";
const tableFrom = 150;

export function renderTop(snapshot: TopSnapshot, terms: TopTerms): readonly string[] {
  const { agents } = snapshot;
  const { width, height = Number.POSITIVE_INFINITY } = terms;
  const head = [...headLines(snapshot, terms), ""].map((line) => cut(line, width));
  const blocks = agents.length === 0 ? [["no agents"]] : blocksOf(agents, terms);
  const lines = [...head];
  let shown = 0;
  for (const block of blocks) {
    const isLast = shown === blocks.length - 1;
    if (lines.length + block.length + (isLast ? 0 : 1) > height) break;
    lines.push(...block.map((line) => cut(line, width)));
    shown++;
  }
  const left = blocks.length - shown;
  if (left > 0) lines.push(cut(terms.paint("dim", `… ${left} more; a taller window shows them`), width));
  return lines.slice(0, height);
}

function headLines(snapshot: TopSnapshot, { paint, isReconnecting = false }: TopTerms): readonly string[] {
  const { agents, hasMore, notEnforced, notInstalled, incidents, decisions } = snapshot;
  const active = agents.filter(({ status }) => status === "active").length;
  const waiting = agents.filter(({ waits }) => waits.length > 0).length;
  const many = hasMore ? `the first ${agents.length} agents` : counted(agents.length, "agent");
  const state = isReconnecting ? paint("yellow", "  reconnecting: the daemon does not answer") : "";
  return [
    `${paint("bold", many)}, ${active} active, ${waiting} waiting${state}`,
    ...(notEnforced === undefined ? [] : [paint("red", notEnforcedText(notEnforced))]),
    ...notInstalled.map((sentence) => paint("red", sentence)),
    ...(incidents.length === 0
      ? []
      : [paint("red", `${counted(incidents.length, "unresolved incident")}: sylk health`)]),
    ...(decisions.length === 0
      ? []
      : [paint("yellow", `${counted(decisions.length, "decision")} waiting for you: sylk approvals`)]),
  ];
}

function blocksOf(agents: readonly PresentAgent[], terms: TopTerms): readonly (readonly string[])[] {
  return terms.width >= tableFrom ? tableBlocks(agents, terms) : agents.map((agent) => agentBlock(agent, terms));
}

function tableBlocks(agents: readonly PresentAgent[], terms: TopTerms): readonly (readonly string[])[] {
  const header = [
    ...(terms.hasProjects ? ["project"] : []),
    "agent",
    "client",
    "state",
    "task",
    "branch",
    "terminal",
    "holds",
    "waits for",
    "uncommitted",
    "last activity",
  ];
  const rows = agents.map((agent) => [
    ...(terms.hasProjects ? [agent.project.name] : []),
    agent.name,
    agent.client,
    stateText(agent, terms),
    agent.task ?? unknown,
    agent.branch ?? unknown,
    placeText(agent),
    firstOf(agent.files) || "-",
    agent.waits.map((wait) => waitText(wait)).join(", ") || "-",
    uncommittedText(agent),
    activityText(agent, terms.now),
  ]);
  const { head, lines } = renderTable(header, rows, { width: terms.width });
  return [head.map((line) => terms.paint("dim", line)), ...lines.map((line) => [line])];
}

function agentBlock(agent: PresentAgent, terms: TopTerms): readonly string[] {
  const { width, paint, hasProjects } = terms;
  // Beside a path there is room for a word, a count and a name.
  const short = (path: string): string => cutInMiddle(path, Math.max(12, width - 40));
  const identity = [
    paint("bold", agent.name),
    ...(hasProjects ? [agent.project.name] : []),
    agent.client,
    stateText(agent, terms),
    cutInMiddle(agent.branch ?? unknown, 24),
    placeText(agent),
  ].join("  ");
  const task = agent.task === undefined ? [] : [`  works on ${agent.task}`];
  const holds = agent.files.length === 0 ? [] : [`holds ${firstOf(agent.files.map(short))}`];
  const waits = agent.waits.slice(0, 1).map((wait) => paint("yellow", `waits for ${waitText(wait, short)}`));
  const uncommitted = agent.uncommitted?.count === 0 ? [] : [`uncommitted ${uncommittedText(agent, short)}`];
  return [
    identity,
    ...task,
    ...packed([...holds, ...waits, ...uncommitted, `last: ${activityText(agent, terms.now)}`], width),
  ];
}

/** Parts beside each other, as many as a line has room for. */
function packed(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = `${last}, ${part}`;
    if (last !== undefined && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(`  ${part}`);
  }
  return lines;
}

function stateText({ status }: PresentAgent, { paint }: TopTerms): string {
  return paint(status === "active" ? "green" : "dim", status);
}

function placeText({ terminal, pid }: PresentAgent): string {
  return terminal ?? (pid === undefined ? unknown : `pid ${pid}`);
}

function waitText({ paths, holder }: AgentWait, short = (path: string) => path): string {
  return `${firstOf(paths.map(short))}${holder === undefined ? "" : ` (${holder.name})`}`;
}

function uncommittedText({ uncommitted }: PresentAgent, short = (path: string) => path): string {
  if (uncommitted === undefined) return unknown;
  if (uncommitted.count === 0) return "0";
  return `${uncommitted.count}: ${firstOf(uncommitted.paths.map(short), uncommitted.count)}`;
}

function activityText({ lastActivity, lastSeenAt }: PresentAgent, now: number): string {
  if (lastActivity === undefined) return `seen ${span(now - lastSeenAt)} ago`;
  return `${lastActivity.text} ${span(now - lastActivity.at)} ago`;
}

function firstOf(texts: readonly string[], count = texts.length): string {
  const [first = ""] = texts;
  return count > 1 ? `${first} (+${count - 1})` : first;
}

/** A line that is cut loses its colours: half a colour would run on. */
function cut(line: string, width: number): string {
  return displayWidth(line) <= width ? line : cutAtEnd(stripped(line), width);
}

function stripped(line: string): string {
  return line.replaceAll(/\u001b\[\d{1,2}m/g, "");
}
