/** A simulation for people: tables, bars for what matters most, and the answer in a sentence. */
import type { Comparison, Measurement, SimulationReport, SimulationTerms } from "../../../contract/index.ts";
import type { Output } from "../output.ts";
import { chartedFigures, figureGroups, type Figure } from "./figures.ts";

const barWidth = 40;

export function printReport({ terms, measurements, tipping }: SimulationReport, out: Output): void {
  printTerms(terms, out);
  for (const some of figureGroups)
    out.table(
      ["agents", ...some.map(({ title }) => title)],
      measurements.map((row) => [String(row.agents), ...some.map(({ of, text }) => text(of(row)))]),
    );
  for (const figure of chartedFigures) printBars(figure, measurements, out);
  out.line();
  out.line(tipping.sentence);
}

export function printComparison({ terms, rows }: Comparison, out: Output): void {
  printTerms(terms, out);
  const [all] = rows;
  for (const [index, { agents }] of all!.measurements.entries()) {
    out.line();
    out.line(out.paint("bold", `${agents} ${agents === 1 ? "agent" : "agents"}`));
    const base = all!.measurements[index]!;
    for (const some of figureGroups)
      out.table(
        ["rules", ...some.map(({ title }) => title)],
        rows.map(({ off, measurements }) => [
          off === undefined ? "all on" : `without ${off}`,
          ...some.map((figure) => changed(figure, measurements[index]!, off === undefined ? undefined : base)),
        ]),
      );
  }
}

/** Unchanged figures are left out, so that the effect of a rule is seen at once. */
function changed({ of, text }: Figure, row: Measurement, base: Measurement | undefined): string {
  return base !== undefined && of(base) === of(row) ? "=" : text(of(row));
}

function printTerms({ minutes, seed, off, commits, rhythmName }: SimulationTerms, out: Output): void {
  const without = off.length === 0 ? "" : `, without ${off.join(", ")}`;
  const oneByOne = commits === "project" ? ", one commit at a time" : "";
  out.line(
    out.paint(
      "dim",
      `${minutes} simulated minutes after a warm-up, rhythm ${rhythmName}, seed ${seed}${without}${oneByOne}`,
    ),
  );
}

function printBars({ title, of, text }: Figure, measurements: readonly Measurement[], out: Output): void {
  const most = Math.max(...measurements.map(of));
  if (most === 0) return;
  out.line();
  out.line(out.paint("bold", title));
  for (const row of measurements) {
    const length = Math.round((of(row) / most) * barWidth);
    out.line(`${String(row.agents).padStart(6)} ${"█".repeat(length).padEnd(barWidth)} ${text(of(row))}`);
  }
}
