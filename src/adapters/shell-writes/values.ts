/** The values that the words of a place can refer to. */
import type { ParsedScript } from "unbash";
import type { Field } from "./field.ts";

export type Values = {
  /** All values of a name: one for a variable, any number for `@`, `*` and arrays. Undefined: not known. */
  readonly valuesOf: (name: string) => readonly Field[] | undefined;
  /** Runs a substitution for its writes; gives its output where that can be known. */
  readonly outputOf: (script: ParsedScript) => readonly Field[] | undefined;
};
