/**
 * The one error of path patterns: a path or glob that is refused, where, why, and the way out.
 *
 * Refusing is the safe side. A pattern read in another way than its author meant protects the wrong files in silence.
 */
const LONGEST_QUOTE = 80;

export class InvalidPattern extends Error {
  override readonly name = "InvalidPattern";
  /** The text as compared, in Unicode NFC, so that `position` points into it. */
  readonly source: string;
  /** Offset in UTF-16 units, as in `source[position]`. */
  readonly position: number;
  /** What is wrong and what to write instead. */
  readonly reason: string;

  constructor(source: string, position: number, reason: string) {
    super(`${quote(source)} cannot be reserved, at ${position}: ${reason}`);
    this.source = source;
    this.position = position;
    this.reason = reason;
  }
}

/** JSON escapes keep control characters out of terminals and logs. */
function quote(text: string): string {
  return text.length <= LONGEST_QUOTE ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, LONGEST_QUOTE))}…`;
}
