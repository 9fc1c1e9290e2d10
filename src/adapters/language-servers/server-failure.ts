/**
 * A server did not answer. absent: it is not installed; unfit: the file is not one for it; late: no answer within the deadline;
 * ended: its process ended; failed: something went wrong. The reason is for people.
 */
type FailureKind = "absent" | "unfit" | "late" | "ended" | "failed";

export class ServerFailure extends Error {
  readonly kind: FailureKind;
  constructor(reason: string, kind: FailureKind = "failed", cause?: unknown) {
    super(reason, { cause });
    this.name = "ServerFailure";
    this.kind = kind;
  }
}
