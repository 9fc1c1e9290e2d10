/** Which causes a person was told of. */
export type NoticeRepository = {
  /** The causes among these that have no row, or wait for the end of quiet hours. */
  untold(causes: readonly string[]): Promise<readonly string[]>;
  /** A row for each; one that waits already keeps its time. */
  hold(causes: readonly string[], at: number): Promise<void>;
  markSent(causes: readonly string[], at: number): Promise<void>;
  markFailed(causes: readonly string[], why: string): Promise<void>;
  /** Notices that could not be sent, and the newest reason. */
  failures(): Promise<{ readonly count: number; readonly last: string | undefined }>;
  removeBefore(at: number): Promise<number>;
};
