/**
 * Keeps the head file in step with the chain, and never over evidence.
 *
 *   start:  no file, no rows -> new      file older than the rows -> a crash, brought up to date
 *           no file, but rows -> said, recorded as an act of the daemon, written anew
 *           file ahead of the rows, or of another row -> said; the file stays as it is until a person decides
 *   append: the next row after the last one -> file; anything else means rows went under our hands -> said, file stays
 *
 * While the file is kept as evidence acts are still recorded, and `audit.verify` keeps reporting the break.
 */
import type { AuditEntry } from "../../contract/index.ts";
import type { Store } from "../store/index.ts";
import { type AuditRepository, type ChainEnd, theDaemon } from "./audit.ts";
import { textOf } from "./chain.ts";
import { readHead, writeHead } from "./head-file.ts";

type Audited = { readonly audit: AuditRepository };
type Ports = {
  readonly file: string;
  readonly onBroken: (facts: Readonly<Record<string, unknown>>) => void;
  readonly onRebuilt: (facts: Readonly<Record<string, unknown>>) => void;
  /** The file could not be written: it is older now, as after a crash, until the next act. */
  readonly onUnwritten: (error: unknown) => void;
};

export type HeadKeeper = {
  /** Once, before the first act. */
  start(store: Store<Audited>): Promise<void>;
  advance(entry: AuditEntry): void;
};

export function createHeadKeeper({ file, onBroken, onRebuilt, onUnwritten }: Ports): HeadKeeper {
  let last: ChainEnd | undefined;
  let isEvidence = false;
  let isDue = false;

  function write(): void {
    isDue = false;
    try {
      writeHead(file, last!);
    } catch (error) {
      onUnwritten(error);
    }
  }

  return {
    async start({ reader, transact }) {
      last = await reader.audit.end();
      const head = readHead(file);
      if (typeof head === "object") {
        isEvidence = (await hashAt(head.sequence, reader.audit)) !== head.hash;
        if (isEvidence) onBroken({ head, end: last });
        else write();
      } else if (last !== undefined) {
        onRebuilt({ head, end: last });
        await transact("audit", (tx) =>
          tx.audit.append({
            actor: theDaemon,
            action: "audit.head-rebuilt",
            subject: "audit-head",
            project: undefined,
            details: { found: head },
          }),
        );
      }
    },
    advance({ sequence, hash, previousHash }) {
      const follows = sequence === (last?.sequence ?? 0) + 1 && (last === undefined || previousHash === last.hash);
      if (!follows && !isEvidence) {
        isEvidence = true;
        onBroken({ head: last, end: { sequence, hash } });
      }
      last = { sequence, hash };
      if (isEvidence || isDue) return;
      isDue = true;
      queueMicrotask(write); // once for all acts of a commit, and before any subscriber hears of it
    },
  };
}

async function hashAt(sequence: number, audit: AuditRepository): Promise<string | undefined> {
  const [row] = await audit.rows(sequence - 1, 1);
  return row !== undefined && textOf({ ...row.sequence, type: "text" }) === String(sequence)
    ? textOf(row.hash)
    : undefined;
}
