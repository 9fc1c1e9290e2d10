/** Options and operands of a command line, as getopt reads them. */
import { type Field, plain } from "./field.ts";

export type Options = {
  readonly operands: readonly Field[];
  readonly has: (...names: readonly string[]) => boolean;
  /** The last one given. */
  readonly value: (...names: readonly string[]) => Field | undefined;
  /** All that were given, in their order. */
  readonly values: (...names: readonly string[]) => readonly Field[];
};

export type OptionTerms = {
  /** Letters whose value follows, in the same argument or the next. */
  readonly letters?: string;
  /** Long names whose value follows in the next argument, unless given by `=`. */
  readonly words?: readonly string[];
  /** Options end at the first operand: what follows is another program's. */
  readonly stopAtOperand?: boolean;
};

export function readOptions(
  args: readonly Field[],
  { letters = "", words = [], stopAtOperand = false }: OptionTerms = {},
): Options {
  const operands: Field[] = [];
  const given: Given[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const { text } = arg;
    if (!text.startsWith("-") || text === "-" || (arg.unknown !== undefined && !text.includes("="))) {
      operands.push(...(stopAtOperand ? args.slice(at) : [arg]));
      if (stopAtOperand) break;
    } else if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text.slice(2) : text.slice(2, equals);
      const takesNext = equals === -1 && words.includes(name);
      given.push({ name, value: takesNext ? (args[++at] ?? plain("")) : valueOf(arg, equals + 1) });
    } else at += readCluster(arg, args[at + 1], letters, given);
  }
  const values: Options["values"] = (...names) =>
    given.filter(({ name }) => names.includes(name)).map(({ value }) => value);
  return {
    operands,
    has: (...names) => given.some(({ name }) => names.includes(name)),
    value: (...names) => values(...names).at(-1),
    values,
  };
}

type Given = { readonly name: string; readonly value: Field };

/** How many further arguments it took. */
function readCluster(arg: Field, next: Field | undefined, letters: string, given: Given[]): number {
  const { text } = arg;
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!;
    const takesValue = letters.includes(letter);
    const isHere = at + 1 < text.length || arg.unknown !== undefined;
    const value = !takesValue ? plain("") : isHere ? valueOf(arg, at + 1) : (next ?? plain(""));
    given.push({ name: letter, value });
    if (takesValue) return isHere ? 0 : 1;
  }
  return 0;
}

function valueOf(arg: Field, from: number): Field {
  if (arg.unknown !== undefined) return arg;
  return from === 0 ? plain("") : plain(arg.text.slice(from));
}
