/** Flags and a rhythm file -> what to simulate, or what is wrong with them. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CommitMode,
  commitModes,
  type DampingRule,
  dampingRules,
  type DomainError,
  invalidInput,
  messageOf,
  Rhythm,
  type SimulationTerms,
} from "../../../contract/index.ts";
import { nearestName } from "../../../platform/nearest-name.ts";
import type { FlagValues } from "../command.ts";

const mostAgents = 1_000;
const mostMinutes = 31 * 24 * 60;
const largestFile = 65_536;

export async function readTerms(
  flags: FlagValues,
  cwd: string,
  rhythms: Readonly<Record<string, Rhythm>>,
): Promise<SimulationTerms> {
  const rhythmName = textOf(flags.rhythm) ?? "steady";
  return {
    agents: counts(textOf(flags.agents) ?? "1,2,5,10,20,50,100"),
    minutes: wholeNumber("minutes", textOf(flags.minutes) ?? "60", 1, mostMinutes),
    seed: wholeNumber("seed", textOf(flags.seed) ?? "1", 0, 2 ** 31),
    off: rules(textOf(flags.off) ?? ""),
    commits: commitMode(textOf(flags.commits) ?? "paths"),
    rhythm: Object.hasOwn(rhythms, rhythmName) ? rhythms[rhythmName]! : await readRhythm(rhythmName, cwd, rhythms),
    rhythmName,
  };
}

function textOf(value: FlagValues[string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function counts(text: string): readonly number[] {
  const numbers = text.split(",").map((part) => wholeNumber("agents", part.trim(), 1, mostAgents));
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid(flag, `"${text}" is not a whole number from ${least} to ${most}`);
}

function rules(text: string): readonly DampingRule[] {
  const named = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  for (const name of named) {
    if ((dampingRules as readonly string[]).includes(name)) continue;
    const near = nearestName(name, dampingRules);
    throw invalid(
      "off",
      `"${name}" is not a damping rule; ${near === undefined ? `there are ${dampingRules.join(", ")}` : `did you mean ${near}?`}`,
    );
  }
  return dampingRules.filter((rule) => named.includes(rule));
}

function commitMode(text: string): CommitMode {
  const mode = commitModes.find((one) => one === text);
  if (mode === undefined) throw invalid("commits", `"${text}" is not one of ${commitModes.join(", ")}`);
  return mode;
}

/** A file gives what differs from a named rhythm (`like`, steady by default). */
async function readRhythm(file: string, cwd: string, rhythms: Readonly<Record<string, Rhythm>>): Promise<Rhythm> {
  const known = `name one of ${Object.keys(rhythms).join(", ")}, or a YAML file`;
  const path = resolve(cwd, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile())
    throw invalid("rhythm", `there is no rhythm and no file "${file}"; ${known}`);
  if (found.size > largestFile)
    throw invalid("rhythm", `${file} has more than ${largestFile} bytes; a rhythm is a few lines`);
  const { parse } = await import("yaml");
  let given: unknown;
  try {
    given = parse(readFileSync(path, "utf8"), { maxAliasCount: 0 });
  } catch (cause) {
    throw invalid("rhythm", `${file} is not YAML: ${messageOf(cause)}`);
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid("rhythm", `${file} has to be a list of "name: number" lines`);
  const { like = "steady", ...changes } = given as Record<string, unknown>;
  if (typeof like !== "string" || !Object.hasOwn(rhythms, like))
    throw invalid("rhythm", `like: ${known.replace(", or a YAML file", "")}`);
  const parsed = Rhythm.safeParse({ ...rhythms[like], ...changes });
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw invalid("rhythm", `${file}: ${problem?.path.join(".") || "rhythm"}: ${problem?.message}`);
}

function invalid(path: string, message: string): DomainError {
  return invalidInput(path, message, { sentence: `--${path}: ${message}` });
}
