/** The reader of code as the functions it knows see it: what stands around a call, and where its effects go. */
import type { Doings } from "../program.ts";
import type { Field } from "../field.ts";
import type { Language } from "./language.ts";
import type { Value } from "./value.ts";

export type Call = {
  /** `fs.promises.writeFile` -> `writeFile` of `fs.promises`. */
  readonly name: string;
  readonly owner: string;
  readonly receiver: Value | undefined;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
};

export type Reader = {
  readonly language: Language;
  /** The program, for messages. */
  readonly program: string;
  readonly doings: Doings;
  readonly operands: readonly Field[];
  /** Written, or removed; `below`: with all in it. */
  readonly write: (target: Value | undefined, how?: { readonly below?: boolean }) => void;
  /** A link at the place; a symbolic one leads from its own folder. */
  readonly link: (place: Value | undefined, target: Value | undefined, isSymbolic: boolean) => void;
  readonly doubt: (why: string) => void;
  readonly changeFolder: (to: Value | undefined) => void;
  readonly startShell: (text: Value | undefined, cwd?: Value) => void;
  readonly startProgram: (argv: Value, cwd?: Value) => void;
  /** Code in a text, or in a file. */
  readonly readText: (code: Value | undefined, file?: Field) => void;
  readonly input: () => Value;
  readonly contentOf: (file: Value | undefined) => Value;
};

/** Undefined: its value is not of interest. */
export type Rule = (call: Call, reader: Reader) => Value | void;
