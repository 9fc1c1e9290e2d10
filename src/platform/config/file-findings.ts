/**
 * Gathers what the reading of one settings file finds, and turns offsets into lines.
 *
 *   broken / accept / report (by offset) -> layer(): values with `file:line`, problems with `file:line:column`
 *
 * Invariant: at most one problem for a line, and a bounded number for a file.
 */
import type { LineCounter } from "yaml";
import { problemWith, type SettingLayer, type SettingValue } from "./check-value.ts";
import type { SettingProblem } from "./invalid-settings.ts";
import type { SettingKey } from "./settings.ts";

export interface FileFindings {
  /** Keeps the value if it holds, reports it otherwise. */
  accept(key: SettingKey, value: unknown, offset: number): void;
  report(offset: number, message: string, allowed: string, key?: SettingKey): void;
  /** To be called before the others: anything after broken syntax is guesswork and not reported. */
  broken(offset: number, message: string): void;
  layer(): SettingLayer;
}

const MOST_PROBLEMS_SHOWN = 20;

export function fileFindings(file: string, lines: LineCounter): FileFindings {
  const values = new Map<SettingKey, SettingValue>();
  const problemOfLine = new Map<number, SettingProblem>();
  let readableLines = Number.POSITIVE_INFINITY;

  const add = (line: number, problem: SettingProblem) => {
    if (line <= readableLines && !problemOfLine.has(line)) problemOfLine.set(line, problem);
  };
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), where: `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}` };
  };

  return {
    accept(key, value, offset) {
      const { line, where } = placeOf(offset);
      const problem = problemWith(key, value, where);
      if (problem) add(line, problem);
      else values.set(key, { value, where: `${file}:${line}` });
    },
    report(offset, message, allowed, key) {
      const { line, where } = placeOf(offset);
      add(line, { where, message, allowed, ...(key && { key }) });
    },
    broken(offset, message) {
      const { line, where } = placeOf(offset);
      readableLines = Math.min(readableLines, line);
      if (!problemOfLine.has(line)) problemOfLine.set(line, { where, message, allowed: "valid YAML" });
    },
    layer: () => ({ values, problems: firstOnes(problemOfLine, file) }),
  };
}

function firstOnes(problemOfLine: ReadonlyMap<number, SettingProblem>, file: string): readonly SettingProblem[] {
  const ordered = [...problemOfLine].sort(([a], [b]) => a - b).map(([, problem]) => problem);
  const left = ordered.length - MOST_PROBLEMS_SHOWN;
  if (left <= 0) return ordered;
  const rest = { where: file, message: `and ${left} more problems`, allowed: "valid settings" };
  return [...ordered.slice(0, MOST_PROBLEMS_SHOWN), rest];
}
