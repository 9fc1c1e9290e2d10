export { announceAll, type AnnounceCall, type CommitPorts } from "./announce-commit.ts";
export { createAnnouncements, type Announcements } from "./announce-later.ts";
export { createCatchUpClock, type CatchUpClock, type CatchUpRules } from "./catch-up-clock.ts";
export { createCommit } from "./create-commit.ts";
export type { Change, ChangedFile, Committer, Draft } from "./ports.ts";
export { createRecentReads, type RecentReads } from "./recent-reads.ts";
