export { announceAll, type CommitPorts, type CommitRepositories } from "./announce-commit.ts";
export { createAnnouncements, type Announcements } from "./announce-later.ts";
export { createCatchUpClock, type CatchUpClock, type CatchUpRules } from "./catch-up-clock.ts";
export type { CreateCommitPorts } from "./create-commit.ts";
export type { Change, ChangedFile, Committer, Draft } from "./ports.ts";
export { createRecentReads, type RecentReads } from "./recent-reads.ts";
export { commitHandlers } from "./handlers.ts";
