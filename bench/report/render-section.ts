/** One result's part of docs/benchmarks.md: under what it ran, and its table. */
import type { Unit } from "../bench.ts";
import type { BenchResult, CampaignResult, KeptFigure } from "./results.ts";

export function renderBench(result: BenchResult): string {
  const { method, seconds, busyBefore, figures, failure, command, at, commit, node, cores } = result;
  const origin = `\`${command}\`, ${minute(at)}, commit ${commit}, Node ${node}, ${cores}, ${Math.round(busyBefore * 100)} % busy with other work just before, took ${Math.round(seconds)} s.`;
  const missed = figures.filter(({ target }) => target?.met === false).length;
  const table =
    failure === undefined
      ? ["| figure | value | rounds | floor | target | met |", "|---|---|---|---|---|---|", ...figures.map(rowOf)]
      : [`**Failed, no figures:** ${failure}`];
  return [method, "", origin, ...(missed === 0 ? [] : ["", `**Missed targets: ${missed}.**`]), "", ...table].join("\n");
}

/** A campaign with tables of its own. */
export function renderBlock({ command, at, commit, seed, text }: CampaignResult): string {
  const drawn = seed === null ? "" : `, seed ${seed}`;
  return `\`${command}\`, ${minute(at)}, commit ${commit}${drawn}.\n\n${text}`;
}

export function renderCampaigns(all: readonly CampaignResult[]): string {
  const rows = all.map(({ command, at, commit, seed, text }) => {
    return `| \`${command}\` | ${at.slice(0, 10)}, ${commit}, ${seed ?? "none"} | ${text} |`;
  });
  return ["| command | date, commit, seed | result |", "|---|---|---|", ...rows].join("\n");
}

function minute(at: string): string {
  return at.length > 10 ? `${at.slice(0, 16).replace("T", " ")} UTC` : at;
}

function rowOf({ what, value, unit, rounds, floor, target }: KeptFigure): string {
  const cells = [
    what,
    value === null ? "not measured" : show(value, unit),
    rounds === undefined ? "" : roundsText(rounds, unit),
    floor === undefined ? "" : `${floor.what}: ${show(floor.value, floor.unit)}`,
    target?.text ?? "",
    target === undefined ? "" : target.met ? "yes" : "**no**",
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Two values have no median: both are shown. */
function roundsText({ low, high, count }: NonNullable<KeptFigure["rounds"]>, unit: Unit): string {
  return `${count} rounds: ${show(low, unit)} ${count === 2 ? "and" : "to"} ${show(high, unit)}`;
}

export function show(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "not measured";
  const digits =
    unit === "of 1"
      ? 3
      : unit === "tokens" || unit === "rounds" || unit === "files" || value >= 1000
        ? 0
        : value >= 10
          ? 1
          : 2;
  const number = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "/s" || unit === "switches/s" ? `${number}${unit.replace("switches", "")}` : `${number} ${unit}`;
}
