import type { Function as ShellFunction, Word } from "unbash";
import type { Field } from "./field.ts";
import type { Input } from "./program.ts";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";
import type { Values } from "./values.ts";

/** The walk, as a command sees it. */
export type Shell = {
  readonly report: Report;
  readonly values: Values;
  /** Without effects: for what was walked before. */
  readonly quiet: () => Values;
  readonly expand: (words: readonly Word[]) => readonly Field[];
  readonly walkText: (text: string, scope: Scope) => void;
  readonly walkBody: (body: ShellFunction["body"], scope: Scope, input: Input) => void;
};
