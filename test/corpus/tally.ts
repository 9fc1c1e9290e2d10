/** Counts the outcomes of corpus commands: a line for each class, and the limits that the whole must meet. */
import type { CorpusCommand } from "./corpus-command.ts";
import type { Outcome } from "./run-corpus.ts";

const limits = { deniedShare: 0.85, refusedReadShare: 0.01 };

export type Tally = {
  readonly name: string;
  readonly run: number;
  readonly denied: number;
  readonly remembered: number;
  readonly silent: number;
  readonly kept: number;
  readonly changed: number;
  readonly restored: number;
  readonly otherwise: number;
  readonly notRun: number;
};

function tallyOf(name: string, outcomes: readonly Outcome[]): Tally {
  const ran = outcomes.filter(hasRun);
  const count = (test: (outcome: Outcome) => boolean): number => ran.filter(test).length;
  return {
    name,
    run: ran.length,
    denied: count(({ text }) => text === "denied"),
    remembered: count(({ text }) => text === "remembered"),
    silent: count(({ text }) => text === "silent"),
    kept: count(({ enforced }) => enforced === "kept"),
    changed: count(({ enforced }) => enforced === "changed"),
    restored: count(({ history }) => history === "restored"),
    otherwise: count(({ ends }) => ends === "otherwise"),
    notRun: outcomes.length - ran.length,
  };
}

const writersOf = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter(({ row }) => isWriter(row));
const readersOf = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter(({ row }) => !isWriter(row));
const isWriter = ({ writes }: CorpusCommand): boolean => writes === "held";
const hasRun = ({ notRun, broken }: Outcome): boolean => notRun === undefined && broken === undefined;

/** A sentence for each limit that is not met; none when all are. */
export function missedLimits(outcomes: readonly Outcome[]): readonly string[] {
  const all = tallyOf("all", writersOf(outcomes));
  const reads = tallyOf("read", readersOf(outcomes));
  const inside = tallyOf(
    "inside",
    writersOf(outcomes).filter(({ row }) => row.apart === undefined),
  );
  const broken = outcomes.filter((outcome) => outcome.broken !== undefined).length;
  const missed: readonly (readonly [isMissed: boolean, sentence: string])[] = [
    [all.run + reads.run === 0, "no command was run"],
    [broken > 0, `${broken} rows do not do what they claim`],
    [
      inside.kept < inside.run,
      `enforced: ${inside.run - inside.kept} of ${inside.run} commands changed the file or ran without enforcement`,
    ],
    [all.restored < all.run, `history: ${all.run - all.restored} of ${all.run} files were not restored`],
    [inside.silent > 0, `text: ${inside.silent} of ${inside.run} commands passed silently`],
    [
      inside.denied < inside.run * limits.deniedShare,
      `text: ${inside.denied} of ${inside.run} commands were denied; the limit is ${limits.deniedShare * 100} %`,
    ],
    [
      reads.denied > reads.run * limits.refusedReadShare,
      `text: ${reads.denied} of ${reads.run} read-only commands were refused; the limit is ${limits.refusedReadShare * 100} %`,
    ],
    [
      reads.otherwise > 0,
      `enforced: ${reads.otherwise} of ${reads.run} read-only commands ended with another exit code`,
    ],
  ];
  return missed.filter(([isMissed]) => isMissed).map(([, sentence]) => sentence);
}

/** As markdown: readable in a terminal and on the page. Where only the text was judged, the other columns are "-". */
export function renderTable(outcomes: readonly Outcome[], isTextOnly = false): string {
  const writers = writersOf(outcomes);
  const classes = [...new Set(writers.map(nameOf))];
  const lines = classes.map((name) =>
    tallyOf(
      name,
      writers.filter((outcome) => nameOf(outcome) === name),
    ),
  );
  const reads = tallyOf("read-only", readersOf(outcomes));
  return [
    "| commands that write the held file | run | text: denied | remembered | silent | enforced: kept | changed | restored | not run |",
    "|---|---|---|---|---|---|---|---|---|",
    ...[...lines, tallyOf("**all**", writers)].map((tally) => lineOf(tally, isTextOnly)),
    "",
    "| commands that only read | run | refused | remembered | other exit code when enforced | not run |",
    "|---|---|---|---|---|---|",
    `| all | ${[reads.run, reads.denied, reads.remembered, isTextOnly ? "-" : reads.otherwise, reads.notRun].join(" | ")} |`,
  ].join("\n");
}

const nameOf = ({ row }: Outcome): string => (row.apart === undefined ? row.class : `${row.apart} (apart)`);

function lineOf(
  { name, run, denied, remembered, silent, kept, changed, restored, notRun }: Tally,
  isTextOnly: boolean,
): string {
  const really = isTextOnly ? ["-", "-", "-"] : [kept, changed, restored];
  return `| ${[name, run, denied, remembered, silent, ...really, notRun].join(" | ")} |`;
}
