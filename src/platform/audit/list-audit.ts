/** Shows the audit, one page, newest first; and verifies its chain, here or in a copy. */
import { type ChainReport, DomainError, type InputOf, type OutputOf } from "../../contract/index.ts";
import { readSqliteFile } from "../store/index.ts";
import type { AuditRepository } from "./audit.ts";
import { auditReader } from "./audit.sqlite.ts";
import { readHead } from "./head-file.ts";
import { verifyChain } from "./verify-chain.ts";

export async function listAudit(
  { action, since, cursor, limit }: InputOf<"audit.list">,
  audit: AuditRepository,
): Promise<OutputOf<"audit.list">> {
  const rows = await audit.page({ action, since, before: sequenceOf(cursor), limit: limit + 1 });
  const items = rows.slice(0, limit);
  return { items, ...(rows.length > limit ? { nextCursor: String(items.at(-1)!.sequence) } : {}) };
}

export async function verifyAudit(
  { file }: InputOf<"audit.verify">,
  { audit, headFile }: { readonly audit: AuditRepository; readonly headFile: string },
): Promise<ChainReport> {
  // The head first: what is appended meanwhile only makes it older.
  if (file === undefined) return verifyChain(audit, readHead(headFile));
  try {
    return await readSqliteFile(file, (sql) => verifyChain(auditReader(sql), undefined));
  } catch (cause) {
    throw new DomainError(
      "input.invalid",
      `file: ${file} cannot be read as a store with an audit; name a copy of sylk.db that this version of Sylk wrote`,
      { details: { problems: [{ path: "file", message: "is not a store with an audit" }] }, cause },
    );
  }
}

function sequenceOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new DomainError("input.invalid", "cursor: no page gave this cursor; leave it out to start from the newest", {
    details: { problems: [{ path: "cursor", message: "no page gave this cursor" }] },
  });
}
