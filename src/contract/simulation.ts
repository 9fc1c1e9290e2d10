/**
 * The load model: what is simulated, and what is measured. It is a command without an operation: it runs in the caller's
 * own process, on a virtual clock, and touches no daemon.
 *
 *   rhythm, agent counts, rules switched off -> one measurement for each count -> where it tips
 */
import * as z from "zod";

const seconds = (most: number) => z.number().min(0).max(most);
const share = z.number().min(0).max(1);

/** How simulated agents work, and on what; times are means of random ones unless they say otherwise. */
export const Rhythm = z.strictObject({
  areas: z.int().min(1).max(10_000).describe("Folders of the repository; a work item lies in one of them"),
  filesPerArea: z.int().min(1).max(10_000),
  hotFiles: z.int().min(0).max(1_000).describe("Files that work in every area may have to change"),
  hotShare: share.describe("Chance that a file of a commit is a hot one"),
  filesPerCommit: z.int().min(1).max(50),
  editsPerFile: z.int().min(1).max(1_000),
  editEverySeconds: seconds(3_600),
  thinkSeconds: seconds(7_200).describe("Length of a pause without an edit"),
  thinkShare: share.describe("Chance of such a pause in the middle of a file"),
  heartbeatSeconds: seconds(3_600).describe("Heartbeat interval during a pause; exact"),
  commitsPerItem: z.int().min(1).max(100),
  commitSeconds: seconds(3_600).describe("Duration of a commit with the project's hooks; exact"),
  itemsPerAgentHour: z.number().min(0).max(1_000).describe("Work items that arrive for each agent"),
  forgetShare: share.describe("Chance that reservations expire after a commit instead of being released"),
  crashesPerAgentHour: z.number().min(0).max(100),
  awaySeconds: seconds(86_400).describe("How long a crashed agent stays away"),
  patienceSeconds: z
    .number()
    .min(1)
    .max(600)
    .describe("How long an agent waits for a reservation before it does something else"),
  refreshSeconds: seconds(600).describe("Cost of reading changed files again; exact"),
  syncSeconds: seconds(600).describe("Cost of updating to commits of others; exact"),
});
export type Rhythm = Readonly<z.infer<typeof Rhythm>>;

export const dampingRules = ["debounce", "adaptive-lease", "grace", "cool-down", "batch"] as const;
export type DampingRule = (typeof dampingRules)[number];

/** Which commits wait for each other, as the setting `commits.mode` has it. */
export const commitModes = ["paths", "project"] as const;
export type CommitMode = (typeof commitModes)[number];

export type SimulationTerms = {
  readonly agents: readonly number[];
  readonly minutes: number;
  readonly seed: number;
  readonly off: readonly DampingRule[];
  readonly commits: CommitMode;
  readonly rhythm: Rhythm;
  readonly rhythmName: string;
};

/** One agent count, measured after a warm-up. Shares and ratios are rounded, so that they read the same everywhere. */
export type Measurement = {
  readonly agents: number;
  readonly commits: number;
  readonly commitsPerHour: number;
  readonly blockedShare: number;
  /** Of the two halves of the measured time: the same in a steady state. */
  readonly blockedShareHalves: readonly [number, number];
  readonly reservations: number;
  readonly handOvers: number;
  readonly handOversPerPathHour: number;
  readonly graceHits: number;
  readonly lostHolds: number;
  readonly waitsGivenUp: number;
  readonly refreshesPerCommit: number;
  readonly syncsPerCommit: number;
  readonly deliveriesPerCommit: number;
  readonly deliveriesPerReservation: number;
  /** Jain's index of closed items per agent: 1 when all closed the same number. */
  readonly fairness: number;
  readonly queueAgeMinutes: number;
  readonly queueAgeHalvesMinutes: readonly [number, number];
  readonly itemsClosed: number;
  readonly itemsOpen: number;
};

export type SimulationReport = {
  readonly terms: SimulationTerms;
  readonly measurements: readonly Measurement[];
  readonly tipping: Tipping;
};
export type Tipping = {
  /** Largest measured count at which waiting does not grow with time and no work piles up. */
  readonly steadyUpTo: number | undefined;
  /** First measured count at which an added agent brings less than half of what one alone does, or a third of the time is lost. */
  readonly tipsAt: number | undefined;
  readonly sentence: string;
};

export type Comparison = {
  readonly terms: SimulationTerms;
  readonly rows: readonly {
    readonly off: DampingRule | undefined;
    readonly measurements: readonly Measurement[];
  }[];
};
