/**
 * A session as it is put down: content with a schema number and a checksum over both. What was cut off, changed on the
 * disk or written by a newer Sylk is refused, and stays where it is.
 */
import { hash } from "node:crypto";
import { DomainError, type SessionId } from "../../contract/index.ts";
import type { SavedContext } from "./session-context.ts";

/** Grows when older programs no longer understand what is saved. */
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
  /** What paused with the session and resumes with it, by kind of work. */
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
  if (checksum !== checksumOf(session, schema, content)) throw damaged(session, "its checksum does not fit");
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
    `What was saved of ${session} is damaged (${reason}) and stays as it is; bring a backup back with "sylk restore", or end the session with "sylk session close"`,
    { details: { session, reason }, cause },
  );
}
