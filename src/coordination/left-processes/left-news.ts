/**
 * Tells the next holder of a file, in one sentence, which processes of a killed session were left and what they changed.
 * Each agent is told once of each killed session; in memory: after a restart it is told once more.
 */
import type { AgentCaller, LeftProcesses, LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import type { HandoffRecord, HandoffRepositories } from "../handoff/index.ts";
import { type CompiledPattern, glob, literal, overlap } from "../globs/index.ts";

export type LeftNews = {
  /** Sentences the agent was not told yet. Without files: about any of its tree. */
  tell(who: Pick<AgentCaller, "agent" | "tree">, files?: Files): Promise<readonly string[]>;
};
type Files = { readonly paths: readonly string[]; readonly patterns: readonly string[] };
type Ports = {
  readonly store: { readonly reader: HandoffRepositories };
  readonly clock: Clock;
  readonly bus: Bus<LogEvent>;
};

const tellForMs = 3_600_000;
const mostTold = 10_000;
const mostNamed = 3;
const longestCommand = 60;

export function createLeftNews({ store, clock, bus }: Ports): LeftNews {
  // Asked before every write, so it is read once and again when a wait is over.
  let kept: Promise<readonly HandoffRecord[]> | undefined;
  bus.subscribe("event.**", ({ type }) => {
    if (type === "agent.processes-over") kept = undefined;
  });
  const told = new Set<string>();
  return {
    async tell({ agent, tree }, files) {
      kept ??= store.reader.handoffs.withLeftProcesses();
      kept.catch(() => (kept = undefined)); // the call fails by it; the next one reads again
      const sentences: string[] = [];
      for (const handoff of await kept) {
        const { overAt } = handoff.belongings.left!;
        const key = `${agent.id} ${handoff.agent} ${handoff.leftAt}`;
        if (overAt === undefined || clock.now() - overAt > tellForMs || told.has(key)) continue;
        if (handoff.agent === agent.id || !concerns(handoff, files)) continue;
        const killed = await store.reader.agents.find(handoff.agent);
        if (killed === undefined || killed.tree !== tree) continue;
        if (told.size >= mostTold) told.delete(told.values().next().value!);
        told.add(key);
        sentences.push(sentenceOf(killed.name, handoff.belongings.left!));
      }
      return sentences;
    },
  };
}

function concerns({ belongings }: HandoffRecord, files: Files | undefined): boolean {
  if (files === undefined) return true;
  const wanted = compiled(files);
  return belongings.reservations
    .flatMap(compiled)
    .some((held) => wanted.some((one) => overlap(held, one) !== undefined));
}

function compiled({ paths, patterns }: Files): readonly CompiledPattern[] {
  return [...paths.map(literal), ...patterns.map(glob)];
}

function sentenceOf(killed: string, { processes, changed }: LeftProcesses): string {
  const first = processes.slice(0, mostNamed).map(({ pid, command }) => `${quoted(command)} (pid ${pid})`);
  const list = `${first.join(", ")}${processes.length > mostNamed ? ` and ${processes.length - mostNamed} more` : ""}`;
  const wrote =
    changed.length === 0 ? "changed none of its files" : `changed ${changed.slice(0, mostNamed).join(", ")}`;
  const how = processes.some(({ state }) => state === "stopped") ? "were ended by Sylk" : "have ended";
  return `the session of ${killed} was killed, and its processes ${list} ${how}; they ${wrote} after it${changed.length === 0 ? "" : ": read that again before you edit"}`;
}

function quoted(command: string): string {
  const plain = plainText(command).replaceAll(/\s+/g, " ");
  return JSON.stringify(plain.length <= longestCommand ? plain : `${plain.slice(0, longestCommand)}…`);
}
