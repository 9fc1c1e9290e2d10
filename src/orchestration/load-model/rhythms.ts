/** Rhythms by name: what was seen of agents at work. Each differs from the first one only where it says so. */
import type { Rhythm } from "../../contract/index.ts";

/** Short holds, a commit every few minutes, some files that every agent needs. */
const steady: Rhythm = {
  areas: 24,
  filesPerArea: 20,
  hotFiles: 6,
  hotShare: 0.12,
  filesPerCommit: 3,
  editsPerFile: 4,
  editEverySeconds: 20,
  thinkSeconds: 120,
  thinkShare: 0.25,
  heartbeatSeconds: 60,
  commitsPerItem: 2,
  commitSeconds: 0,
  itemsPerAgentHour: 4.5,
  forgetShare: 0.2,
  crashesPerAgentHour: 0.05,
  awaySeconds: 600,
  patienceSeconds: 300,
  refreshSeconds: 2,
  syncSeconds: 10,
};

export const rhythms: Readonly<Record<string, Rhythm>> = {
  steady,
  /** Ten minutes of editing, seven of thinking, then the same file again: the pauses are longer than a lease. */
  deep: {
    ...steady,
    areas: 8,
    filesPerArea: 8,
    filesPerCommit: 2,
    editsPerFile: 20,
    editEverySeconds: 30,
    thinkSeconds: 420,
    thinkShare: 0.9,
    heartbeatSeconds: 150,
    commitsPerItem: 1,
    itemsPerAgentHour: 2.5,
    patienceSeconds: 60,
  },
  /** Its pre-commit hook runs a linter and some tests. */
  checked: { ...steady, commitSeconds: 30 },
  /** Many small commits close together. */
  sprint: {
    ...steady,
    areas: 8,
    hotShare: 0.2,
    filesPerCommit: 2,
    editsPerFile: 2,
    editEverySeconds: 10,
    thinkSeconds: 30,
    thinkShare: 0.1,
    commitsPerItem: 4,
    itemsPerAgentHour: 8,
  },
};
