/**
 * Subjects and patterns as lists of segments.
 *
 *   "session.s1.status" -> ["session", "s1", "status"]
 *
 * A segment is one or more of A-Z a-z 0-9 _ -; a pattern may also use `*` (exactly one segment) and `**` (one or more).
 * Invariant: what comes out of here never needs checking again.
 */
import { InvalidSubject } from "./invalid-subject.ts";

const SUBJECT = /^[\w-]+(?:\.[\w-]+)*$/;
const PATTERN = /^(?:[\w-]+|\*\*?)(?:\.(?:[\w-]+|\*\*?))*$/;
const WORD = /^[\w-]+$/;
const NOT_WORD = /[^\w-]/;

export function parseSubject(subject: string): string[] {
  if (!SUBJECT.test(subject)) throw faultIn(subject, WORD);
  return subject.split(".");
}

export function parseSubjectPattern(pattern: string): string[] {
  if (!PATTERN.test(pattern)) throw faultIn(pattern, /^(?:[\w-]+|\*\*?)$/);
  return pattern.split(".");
}

/** Only on the way to an error, so that the good case stays one regular expression. */
function faultIn(text: string, legal: RegExp): InvalidSubject {
  let start = 0;
  for (const segment of text.split(".")) {
    if (!legal.test(segment)) return describe(text, start, segment, legal === WORD);
    start += segment.length + 1;
  }
  return new InvalidSubject(text, 0, "segments are separated by single dots");
}

function describe(text: string, start: number, segment: string, isSubject: boolean): InvalidSubject {
  if (segment === "") return new InvalidSubject(text, start, "a segment is empty; separate segments by single dots");
  const position = start + segment.search(NOT_WORD);
  if (!segment.includes("*"))
    return new InvalidSubject(text, position, "only letters, digits, _ and - may stand in a segment");
  const reason = isSubject
    ? "wildcards belong in subscriptions; publish to one subject"
    : "* and ** must stand alone in their segment";
  return new InvalidSubject(text, position, reason);
}
