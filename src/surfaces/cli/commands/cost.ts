/** The cost of model calls on the command line; without a daemon from the clients' own records. */
import type { LedgerReport, LedgerTotal } from "../../../contract/index.ts";
import type { SylkClient } from "../../client/index.ts";
import type { CommandContext } from "../command.ts";
import { loadOperation, parseInput } from "../../../contract/calling.ts";
import { findDaemon } from "../daemon-link.ts";
import { entryPoints } from "../entry-points.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { counted, pastTime } from "../wording.ts";

export const cost = operationCommand("ledger.show", {
  example: "sylk cost --by day --since 7d",
  details: "Starts no daemon: without one it reads the clients' own records and says what is missing.",
  without: ["since"],
  flags: { since: { describe: "only calls since an age (12h, 30d, 8w) or a date (2026-11-01, UTC)", value: "time" } },
  adjust: (input, { flags }) =>
    flags.since === undefined ? input : { ...input, since: pastTime("since", flags.since) },
  connect: daemonOrFiles,
  print,
});

async function daemonOrFiles(context: CommandContext): Promise<SylkClient> {
  if ((await findDaemon(context.paths)) !== "absent") return context.connect();
  const operation = await loadOperation("ledger.show");
  const call = async (_: string, given: unknown) =>
    context.out.progress("reading transcripts", entryPoints().ledger(parseInput(operation, given), context));
  return { call } as SylkClient;
}

function print(report: LedgerReport, out: Output): void {
  const { by, total, items, left, missing } = report;
  if (total.calls === 0) out.line("No model calls are recorded.");
  else {
    out.table(
      [by, "calls", "input", "output", "cache read", "cache write", "context", "money", ""],
      [...items.map((item) => row(item, barOf(item, items))), row(total, "")],
    );
    if (left > 0) out.line(`${left} more; raise --limit to see them`);
  }
  const unreadable = report.sources.reduce((sum, source) => sum + source.unreadable, 0);
  if (unreadable > 0) out.note(`not counted: ${counted(unreadable, "line")} of transcripts that could not be read`);
  if (total.unpriced > 0)
    out.note(
      `without a known price: ${total.unpriced} of ${counted(total.calls, "call")}; add prices in prices.yaml of the home`,
    );
  for (const source of new Set(report.prices.map((price) => price.source))) out.note(`prices: ${source}`);
  for (const what of missing) out.note(what);
}

const barWidth = 24;

function row(item: LedgerTotal, bar: string): readonly string[] {
  const { name, calls, unknown, context, usd, unpriced } = item;
  const part = (which: keyof LedgerTotal["unknown"]) => tokens(item[which], unknown[which]);
  return [
    name,
    String(calls),
    part("input"),
    part("output"),
    part("cacheRead"),
    part("cacheWrite"),
    contextText(context),
    usd === null ? "?" : `$${usd.toFixed(2)}${unpriced > 0 ? " + ?" : ""}`,
    bar,
  ];
}

/** The most there was; of a session that is under way also how full it is now. */
function contextText(context: LedgerTotal["context"]): string {
  if (context === null) return "?";
  const { peak, now } = context;
  if (now === undefined) return tokens(peak, 0);
  const of = now.size === undefined ? "" : ` of ${tokens(now.size, 0)}`;
  return `${tokens(peak, 0)}, now ${tokens(now.used, 0)}${of}`;
}

/** What is not known is said: "?" for all of it, "+ ?" for a part. */
function tokens(count: number | null, unknownCalls: number): string {
  if (count === null) return "?";
  const shown =
    count < 10_000
      ? String(count)
      : count < 10_000_000
        ? `${Math.round(count / 1_000)}k`
        : `${(count / 1e6).toFixed(1)}M`;
  return unknownCalls > 0 ? `${shown} + ?` : shown;
}

function barOf(item: LedgerTotal, items: readonly LedgerTotal[]): string {
  const most = Math.max(...items.map(billed));
  return most === 0 ? "" : "█".repeat(Math.ceil((billed(item) / most) * barWidth));
}

function billed({ input, output, cacheRead, cacheWrite }: LedgerTotal): number {
  return (input ?? 0) + (output ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}
