/** The figures of a measurement: the same list for the table, the text charts and the SVG. */
import type { Measurement } from "../../../contract/index.ts";

export type Figure = {
  readonly title: string;
  readonly of: (measurement: Measurement) => number;
  readonly text: (value: number) => string;
};

const plain = (value: number): string => String(Math.round(value * 100) / 100);
const percent = (value: number): string => `${Math.round(value * 1_000) / 10} %`;

const figures: readonly Figure[] = [
  { title: "commits/h", of: (row) => row.commitsPerHour, text: (value) => String(Math.round(value * 10) / 10) },
  { title: "blocked", of: (row) => row.blockedShare, text: percent },
  { title: "hand-overs/path/h", of: (row) => row.handOversPerPathHour, text: plain },
  { title: "grace hits", of: (row) => row.graceHits, text: plain },
  { title: "lost holds", of: (row) => row.lostHolds, text: plain },
  { title: "refreshes/commit", of: (row) => row.refreshesPerCommit, text: plain },
  { title: "syncs/commit", of: (row) => row.syncsPerCommit, text: plain },
  { title: "told/commit", of: (row) => row.deliveriesPerCommit, text: plain },
  { title: "told/reservation", of: (row) => row.deliveriesPerReservation, text: plain },
  { title: "fairness", of: (row) => row.fairness, text: plain },
  { title: "queue age min", of: (row) => row.queueAgeMinutes, text: plain },
];

/** As many as stand side by side on a terminal of 80 columns, beside the longest name of a row. */
export const figureGroups: readonly (readonly Figure[])[] = [
  figures.slice(0, 4),
  figures.slice(4, 7),
  figures.slice(7),
];

const charted = new Set(["commits/h", "blocked", "hand-overs/path/h", "refreshes/commit", "queue age min"]);
export const chartedFigures: readonly Figure[] = figures.filter(({ title }) => charted.has(title));
