/** `sylk top`: all agents, live on a terminal; one snapshot elsewhere. */
import { systemClock } from "../../../platform/clock/index.ts";
import { coversAll } from "../all-projects.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { printable } from "../printable.ts";
import { followAgents } from "../top/follow-agents.ts";
import { openScreen } from "../top/live-screen.ts";
import { renderTop } from "../top/render-top.ts";
import { takeSnapshot, type TopSnapshot } from "../top/take-snapshot.ts";

const clock = systemClock();
const unknownHeight = 24;

export const top: WrittenCommand = {
  summary: "Watch all agents live: task, terminal, holds, waits, uncommitted files, last activity",
  example: "sylk top --all",
  details:
    "q or Ctrl-C leaves. A ? stands for what is not known. In a pipe, or with --once, it prints one snapshot and ends.",
  flags: {
    all: { describe: "of all projects of this home" },
    once: { describe: "print one snapshot and end" },
  },
  async run(context) {
    const { out, json, flags } = context;
    const isOfAll = coversAll(context);
    if (!json && flags.once !== true && process.stdout.isTTY) return watch(context, isOfAll);
    const snapshot = await takeSnapshot(await context.connect(), isOfAll);
    if (json) return out.json(snapshot);
    for (const line of linesOf(snapshot, context, isOfAll)) out.line(line);
  },
};

async function watch(context: CommandContext, isOfAll: boolean): Promise<void> {
  const left = new AbortController();
  const signal = AbortSignal.any([context.signal, left.signal]);
  let last: TopSnapshot | undefined;
  let isReconnecting = false;
  const screen = openScreen(process.stdin, process.stdout, (key) => {
    if (key === "q" || key === "\u0003") left.abort();
  });
  const draw = (): readonly string[] =>
    last === undefined
      ? ["reconnecting: the daemon does not answer"]
      : linesOf(last, context, isOfAll, { isReconnecting, height: process.stdout.rows || unknownHeight });
  try {
    for await (const snapshot of followAgents({ ...context, signal }, isOfAll)) {
      last = snapshot ?? last;
      isReconnecting = snapshot === undefined;
      screen.show(draw);
    }
  } finally {
    screen.close();
  }
}

function linesOf(
  snapshot: TopSnapshot,
  { out }: CommandContext,
  hasProjects: boolean,
  terms: { readonly isReconnecting?: boolean; readonly height?: number } = {},
): readonly string[] {
  const { width, paint } = out;
  return renderTop(printable(snapshot), { now: clock.now(), width, hasProjects, paint, ...terms });
}
