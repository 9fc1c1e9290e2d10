/**
 * A publish that a full queue refused. Nobody has received the message: whoever publishes still owns it and may try again.
 */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
  readonly subject: string;
  /** The subscriptions without room. */
  readonly full: readonly string[];

  constructor(subject: string, full: readonly string[], wayOut: string) {
    super(`"${subject}" was delivered to nobody, because ${full.join(", ")} has no room; ${wayOut}`);
    this.subject = subject;
    this.full = full;
  }
}
