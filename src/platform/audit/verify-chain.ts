/**
 * Checks a chain from its first row to its end, and its end against the head file.
 *
 *   rows, page by page -> next sequence? own hash right? follows the row before? -> end against the head -> report
 *
 * The first row that is not as it was written is named; nothing after it can be vouched for.
 */
import type { ChainReport } from "../../contract/index.ts";
import type { AuditRepository } from "./audit.ts";
import { type ChainRow, firstPrevious, hashRow, textOf } from "./chain.ts";
import type { HeadReading } from "./head-file.ts";

const pageSize = 500;
const keepEvidence =
  'Keep copies of sylk.db and audit-head before anything else, then find the last good backup: "sylk audit verify --file <copy>"';
const howToContinue = `${keepEvidence}. To continue without one, move audit-head away and restart the daemon: it records that`;

/** Without a head (a copy has none) only what the rows themselves tell is checked. */
export async function verifyChain(
  reader: Pick<AuditRepository, "rows">,
  head: HeadReading | undefined,
): Promise<ChainReport> {
  let entries = 0;
  let lastHash = firstPrevious;
  let hashAtHead: string | undefined;
  for (;;) {
    const rows = await reader.rows(entries === 0 ? undefined : entries, pageSize);
    for (const row of rows) {
      const what = problemWith(row, entries + 1, lastHash);
      if (what !== undefined) return broken(entries, lastHash, "not-compared", entries + 1, what);
      entries++;
      lastHash = textOf(row.hash)!;
      if (typeof head === "object" && head.sequence === entries) hashAtHead = lastHash;
    }
    if (rows.length < pageSize) break;
    await new Promise((resolve) => setImmediate(resolve)); // a long chain must not hold up other work
  }
  return againstHead(entries, lastHash, head, hashAtHead);
}

function problemWith(row: ChainRow, expected: number, previous: string): string | undefined {
  if (textOf({ ...row.sequence, type: "text" }) !== String(expected))
    return `row ${expected} is missing or has another number`;
  if (textOf(row.hash) !== hashRow(row)) return `row ${expected} was changed`;
  if (textOf(row.previous) !== previous) return `row ${expected} does not follow the row before it`;
  return undefined;
}

function againstHead(
  entries: number,
  lastHash: string,
  head: HeadReading | undefined,
  hashAtHead: string | undefined,
): ChainReport {
  const good = (state: ChainReport["head"]): ChainReport => ({
    intact: true,
    entries,
    lastHash: entries === 0 ? null : lastHash,
    head: state,
  });
  if (head === undefined) return good("not-compared");
  if (head === "missing" && entries === 0) return good("matches");
  if (typeof head === "string")
    return broken(
      entries,
      lastHash,
      head,
      entries + 1,
      `the file audit-head is ${head}, so rows may have been removed at the end`,
      'If you removed or restored it yourself, "sylk down" and "sylk up" write it again and record that',
    );
  if (head.sequence > entries)
    return broken(
      entries,
      lastHash,
      "ahead",
      entries + 1,
      `rows ${entries + 1} to ${head.sequence} were removed`,
      howToContinue,
    );
  if (head.hash !== hashAtHead)
    return broken(
      entries,
      lastHash,
      "differs",
      head.sequence,
      `row ${head.sequence} is another than was written`,
      howToContinue,
    );
  return good(head.sequence === entries ? "matches" : "older");
}

function broken(
  entries: number,
  lastHash: string,
  head: ChainReport["head"],
  sequence: number,
  what: string,
  fix = keepEvidence,
): ChainReport {
  return {
    intact: false,
    entries,
    lastHash: entries === 0 ? null : lastHash,
    head,
    problem: { sequence, what, fix },
  };
}
