/**
 * A publish that a full queue refused. No subscriber has received the message: its publisher still owns it and may try again.
 */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
  readonly subject: string;
  /** The subscriptions without room. */
  readonly full: readonly string[];

  constructor(subject: string, full: readonly string[], wayOut: string) {
    super(`"${subject}" was not delivered, because ${full.join(", ")} has no room; ${wayOut}`);
    this.subject = subject;
    this.full = full;
  }
}
