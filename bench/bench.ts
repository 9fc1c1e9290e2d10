/**
 * What a benchmark is: it measures in rounds and answers with figures, each beside its floor and its target.
 *
 *   Bench.run -> figures -> .cache/bench/<date>.json, bench/results/<name>.json -> docs/benchmarks.md
 */
export type Bench = {
  readonly name: string;
  /** One sentence above its table: what runs where, how long, how often. */
  readonly method: string;
  run(options: BenchOptions): Promise<readonly Figure[]>;
};

/** `peer`: install and measure what others publish, too. */
export type BenchOptions = { readonly peer: boolean };

export type Figure = {
  readonly what: string;
  /** The median of `rounds` where there are three or more, unless `what` says otherwise; NaN when it was not measured. */
  readonly value: number;
  readonly unit: Unit;
  readonly rounds: readonly number[];
  /** What the figure should be read against, measured in the same run. */
  readonly floor?: { readonly what: string; readonly value: number; readonly unit: Unit };
  readonly target?: { readonly text: string; readonly met: boolean };
};

export type Unit = "/s" | "ms" | "µs" | "MB" | "KB" | "x" | "tokens" | "files" | "rounds" | "switches/s" | "of 1";

export type Outcome = {
  readonly bench: string;
  readonly method: string;
  readonly seconds: number;
  /** Share of the processors that other work took just before, 0 to 1. */
  readonly busyBefore: number;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly failure?: string;
};
