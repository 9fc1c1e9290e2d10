/** The values that the words of a place can refer to. */
import type { ParsedScript } from "unbash";
import type { Field } from "./field.ts";
import type { Input } from "./program.ts";

export type Values = {
  /** All values of a name: one for a variable, any number for `@`, `*` and arrays. Undefined: not known. */
  readonly valuesOf: (name: string) => readonly Field[] | undefined;
  /** `${name:=value}` sets it. */
  readonly assign: (name: string, value: Field) => void;
  /** Runs a substitution for its writes; gives its output where that can be known. */
  readonly outputOf: (script: ParsedScript) => Input;
  /** `<(…)`: the name under which its output can be read. */
  readonly fileOf: (script: ParsedScript) => Field;
  /** The letters between words; undefined where they are not known. */
  readonly separators: () => string | undefined;
  /** Text of a small file. */
  readonly read: (file: Field) => string | undefined;
  /** The root of the working tree; undefined where it is not known. */
  readonly root: () => string | undefined;
};
