/** Programs that print a part of their input: exactly where the text is known and the part is plain, else the names they were given. */
import type { Field } from "./field.ts";
import type { Input } from "./program.ts";
import { readOptions } from "./read-options.ts";

type Read = (file: Field) => string | undefined;
type Filter = (args: readonly Field[], input: Input, read: Read) => Input;

/** The files that are named, else the input. */
function from(files: readonly Field[], input: Input, read: Read): Input {
  if (files.length === 0) return input;
  const all = files.map(read);
  return all.every((text) => text !== undefined) ? { text: all.join("") } : {};
}

/** Any of its words may be left. */
function some({ text, names }: Input): Input {
  if (names !== undefined) return { names };
  if (text === undefined) return {};
  return {
    names: [...new Set(text.split(/[\s\0"',]+/))].filter((word) => word !== "").map((word) => ({ text: word })),
  };
}

const lines = (text: string): readonly string[] => text.replace(/\n$/, "").split("\n");
const asText = (all: readonly string[]): Input => ({ text: all.map((line) => `${line}\n`).join("") });

function firstOrLast(isLast: boolean): Filter {
  return (args, input, read) => {
    const dashed = args.map((arg) => (/^-\d+$/.test(arg.text) ? { text: `-n${arg.text.slice(1)}` } : arg));
    const { operands, value, has } = readOptions(dashed, { letters: "nc", words: ["lines", "bytes"] });
    const source = from(operands, input, read);
    const count = Number(value("n", "lines")?.text ?? 10);
    if (
      source.text === undefined ||
      has("c", "bytes") ||
      !Number.isInteger(count) ||
      count < 0 ||
      value("n")?.text.startsWith("+") === true
    )
      return some(source);
    const all = lines(source.text);
    return asText(isLast ? all.slice(Math.max(0, all.length - count)) : all.slice(0, count));
  };
}

const sed: Filter = (args, input, read) => {
  const { operands, has, values } = readOptions(args, { letters: "e", words: ["expression"] });
  const scripts = has("e", "expression") ? values("e", "expression") : operands.slice(0, 1);
  const source = from(has("e", "expression") ? operands : operands.slice(1), input, read);
  const [only] = scripts;
  if (source.text === undefined || scripts.length !== 1 || only === undefined) return some(source);
  const line = /^(\d+)p$/.exec(only.text)?.[1];
  if (line !== undefined && has("n", "quiet", "silent"))
    return asText(lines(source.text).slice(Number(line) - 1, Number(line)));
  const [, , pattern, to = "", flags = ""] = substitution(only.text);
  if (pattern === undefined) return some(source);
  try {
    const expression = new RegExp(pattern, flags);
    return asText(
      lines(source.text).map((one) => one.replace(expression, to.replaceAll(/\\(\d)/g, "$$$1").replaceAll("&", "$$&"))),
    );
  } catch {
    return some(source); // an expression that is another one here
  }
};

function substitution(script: string): readonly (string | undefined)[] {
  const [, mark, pattern, to, flags] =
    /^s([/|,#])((?:(?!\1)[^\\]|\\.)*)\1((?:(?!\1)[^\\]|\\.)*)\1(g?)$/.exec(script) ?? [];
  const isSimple = pattern !== undefined && pattern.length < 100 && !/[(+{]/.test(pattern);
  return isSimple ? ["", mark, pattern, to, flags] : [];
}

/** `awk '{print $2}'` */
const awk: Filter = (args, input, read) => {
  const { operands, value } = readOptions(args, { letters: "Fv", stopAtOperand: true });
  const source = from(operands.slice(1), input, read);
  const column = /^\{\s*print\s*\$(\d+|NF)\s*;?\s*\}$/.exec(operands[0]?.text.trim() ?? "")?.[1];
  if (source.text === undefined || column === undefined) return some(source);
  const separator = value("F")?.text;
  return asText(
    lines(source.text).map((line) => {
      const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(separator);
      return column === "0" ? line : ((column === "NF" ? fields.at(-1) : fields[Number(column) - 1]) ?? "");
    }),
  );
};

const cut: Filter = (args, input, read) => {
  const { operands, value } = readOptions(args, { letters: "dfcb", words: ["delimiter", "fields"] });
  const source = from(operands, input, read);
  const field = Number(value("f", "fields")?.text);
  const from1 = /^(\d+)-$/.exec(value("c", "b")?.text ?? "")?.[1];
  if (source.text === undefined) return some(source);
  if (from1 !== undefined) return asText(lines(source.text).map((line) => line.slice(Number(from1) - 1)));
  if (!Number.isInteger(field)) return some(source);
  const mark = value("d", "delimiter")?.text ?? "\t";
  return asText(lines(source.text).map((line) => (line.includes(mark) ? (line.split(mark)[field - 1] ?? "") : line)));
};

const tr: Filter = (args, { text, names }) => {
  const { operands, has } = readOptions(args);
  const [set = "", to = ""] = operands.map((one) =>
    one.text
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`\0`, "\0")
      .replaceAll(String.raw`\t`, "\t"),
  );
  const isBlank = /^[\s\0]*$/.test(set) && /^[\s\0]*$/.test(to);
  if (text === undefined) return isBlank ? { names } : {};
  if (has("s", "c") || /[-[\]]/.test(set + to)) return isBlank ? { text } : {};
  const letters = [...set];
  return {
    text: [...text]
      .flatMap((letter) => {
        const at = letters.indexOf(letter);
        return at === -1 ? [letter] : has("d") ? [] : [to[Math.min(at, to.length - 1)] ?? letter];
      })
      .join(""),
  };
};

const decode =
  (encoding: "base64" | "hex", options: readonly string[]): Filter =>
  (args, input, read) => {
    const { operands, has } = readOptions(args);
    const { text } = from(operands, input, read);
    return text === undefined || !has(...options)
      ? {}
      : { text: Buffer.from(text.replaceAll(/\s/g, ""), encoding).toString() };
  };

/** The strings of a JSON text: each may be the answer. */
const jq: Filter = (args, input, read) => {
  const { operands } = readOptions(args, { words: ["arg", "argjson", "slurpfile", "rawfile"] });
  const source = from(operands.slice(1), input, read);
  const path = /^(?:\.\w+|\[\d*\])+$/.test(operands[0]?.text ?? "") ? operands[0]!.text : undefined;
  if (source.text === undefined || path === undefined) return some(source);
  try {
    let values: readonly unknown[] = [JSON.parse(source.text)];
    for (const [, key, index] of path.matchAll(/\.(\w+)|\[(\d*)\]/g))
      values = values.flatMap((one) =>
        index === ""
          ? (Object.values(Object(one) as object) as unknown[])
          : [(Object(one) as Record<string, unknown>)[key ?? index!]],
      );
    return { text: values.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("") };
  } catch {
    return some(source); // not JSON after all
  }
};

const any: Filter = (args, input, read) => some(from(readOptions(args, { letters: "kto" }).operands, input, read));

export const filters: Readonly<Record<string, Filter>> = {
  head: firstOrLast(false),
  tail: firstOrLast(true),
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  cut,
  tr,
  base64: decode("base64", ["d", "D", "decode"]),
  xxd: decode("hex", ["r"]),
  jq,
  sort: any,
  uniq: any,
  shuf: any,
  column: any,
  nl: any,
  yq: jq,
  rev: (args, input, read) => {
    const { text } = from(readOptions(args).operands, input, read);
    return text === undefined ? {} : asText(lines(text).map((line) => [...line].toReversed().join("")));
  },
};
