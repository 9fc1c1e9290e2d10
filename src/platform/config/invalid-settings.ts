/**
 * All problems of the settings in one error, each with its place and the way out.
 * A user wants to repair a file once, not run into one mistake after the other.
 */
import type { SettingKey } from "./settings.ts";

export interface SettingProblem {
  /** `<file>:<line>:<column>`, a variable or a flag. */
  readonly where: string;
  readonly key?: SettingKey;
  readonly message: string;
  /** What may stand there instead. */
  readonly allowed: string;
}

export class InvalidSettings extends Error {
  override readonly name = "InvalidSettings";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ where, message }) => `${where}: ${message}`).join("\n"));
    this.problems = problems;
  }
}
