export { announceCommit, type CommitPorts } from "./announce-commit.ts";
export { createCatchUpClock, type CatchUpClock, type CatchUpRules } from "./catch-up-clock.ts";
export { createRecentReads, type RecentReads } from "./recent-reads.ts";
