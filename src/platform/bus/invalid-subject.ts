/**
 * The one error of the bus: a subject or pattern that is not dot-separated words.
 *
 * Thrown, never swallowed: a subscription to a subject that cannot be published would wait for ever without a sign.
 */
export class InvalidSubject extends Error {
  override readonly name = "InvalidSubject";
  readonly subject: string;
  /** Offset of the first wrong character. */
  readonly position: number;
  readonly reason: string;

  constructor(subject: string, position: number, reason: string) {
    super(`${JSON.stringify(subject)} is not a usable subject, at ${position}: ${reason}`);
    this.subject = subject;
    this.position = position;
    this.reason = reason;
  }
}
