/** One benchmark's part of docs/benchmarks.md: under what it ran, and its table. */
import type { Figure, Outcome, Unit } from "../bench.ts";
import type { RunTerms } from "./describe-run.ts";

export function renderSection({ method, seconds, busyBefore, figures, failure }: Outcome, terms: RunTerms): string {
  const { command, at, commit, node, cores } = terms;
  const origin = `\`${command}\`, ${at.slice(0, 16).replace("T", " ")} UTC, commit ${commit}, Node ${node}, ${cores}, ${Math.round(busyBefore * 100)} % busy with other work just before, took ${Math.round(seconds)} s.`;
  const table =
    failure === undefined
      ? ["| figure | median | rounds | floor | target | met |", "|---|---|---|---|---|---|", ...figures.map(rowOf)]
      : [`**Failed, no figures:** ${failure}`];
  return [method, "", origin, "", ...table].join("\n");
}

function rowOf({ what, value, unit, rounds, floor, target }: Figure): string {
  const cells = [
    what,
    show(value, unit),
    rounds.length < 2
      ? ""
      : `${show(Math.min(...rounds), unit)} to ${show(Math.max(...rounds), unit)}, n=${rounds.length}`,
    floor === undefined ? "" : `${floor.what}: ${show(floor.value, floor.unit)}`,
    target?.text ?? "",
    target === undefined ? "" : target.met ? "yes" : "**no**",
  ];
  return `| ${cells.join(" | ")} |`;
}

export function show(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "not measured";
  const digits = unit === "tokens" || unit === "rounds" || value >= 1000 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "/s" || unit === "switches/s" ? `${number}${unit.replace("switches", "")}` : `${number} ${unit}`;
}
