/**
 * A saved session: content with a schema number and a checksum over both. A snapshot that is truncated, changed on disk or
 * written by a newer Sylk is refused and left unchanged.
 */
import { hash } from "node:crypto";
import { DomainError, type SessionId } from "../../contract/index.ts";
import type { SavedContext } from "./session-context.ts";

/** Increase this when older versions cannot read new snapshots. */
export const snapshotSchema = 2;

export type Snapshot = {
  readonly session: SessionId;
  readonly schema: number;
  readonly checksum: string;
  readonly content: string;
  readonly savedAt: number;
};

export type SnapshotContent = {
  readonly context: SavedContext;
  /** Ids of the work that paused with the session, by kind. It resumes with the session. */
  readonly held: Readonly<Record<string, readonly string[]>>;
};

export function seal(session: SessionId, content: SnapshotContent, savedAt: number): Snapshot {
  const text = JSON.stringify(content);
  return {
    session,
    schema: snapshotSchema,
    checksum: checksumOf(session, snapshotSchema, text),
    content: text,
    savedAt,
  };
}

export function unseal({ session, schema, checksum, content }: Snapshot): SnapshotContent {
  if (checksum !== checksumOf(session, schema, content)) throw damaged(session, "its checksum does not match");
  if (schema > snapshotSchema)
    throw new DomainError(
      "session.snapshot-newer",
      `${session} was saved by a newer Sylk (format ${schema}, known here up to ${snapshotSchema}); use that version, or end the session with "sylk session close"`,
      { details: { session, schema, known: snapshotSchema } },
    );
  try {
    return JSON.parse(content) as SnapshotContent;
  } catch (cause) {
    throw damaged(session, "it is not JSON", cause);
  }
}

function checksumOf(session: SessionId, schema: number, content: string): string {
  return hash("sha256", `${session}\n${schema}\n${content}`, "hex");
}

function damaged(session: SessionId, reason: string, cause?: unknown): DomainError {
  return new DomainError(
    "session.snapshot-damaged",
    `The saved data of ${session} is damaged (${reason}). Sylk leaves it unchanged. Restore a backup with "sylk restore", or end the session with "sylk session close".`,
    { details: { session, reason }, cause },
  );
}
