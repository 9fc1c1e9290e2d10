/** `printf`: its text, or the names in it. */
import { type Field, joined, plain } from "./field.ts";
import type { Input } from "./program.ts";

const mostRounds = 200;
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "0": "\0",
  '"': '"',
  "'": "'",
};

export function formatted([format, ...args]: readonly Field[]): Input {
  if (format === undefined || format.unknown !== undefined || format.glob !== undefined) return {};
  const isKnown = args.every(({ unknown, glob }) => unknown === undefined && glob === undefined);
  const signs = [...format.text.matchAll(/%(?:%|[-#0 +]*\d*(?:\.\d+)?([sdqbxc]))/g)].filter(
    ([, kind]) => kind !== undefined,
  );
  if (!isKnown)
    return /^[^%]*%[sq][^%]*$/.test(format.text) ? { names: args.map((arg) => filled(format.text, arg)) } : {};
  const rounds = Math.max(1, signs.length === 0 ? 1 : Math.ceil(args.length / signs.length));
  if (rounds > mostRounds) return { names: args };
  let [text, next] = ["", 0];
  for (let round = 0; round < rounds; round++)
    text += unescaped(format.text).replaceAll(/%(?:%|[-#0 +]*\d*(?:\.\d+)?([sdqbxc]))/g, (whole, kind?: string) => {
      if (kind === undefined) return whole === "%%" ? "%" : whole;
      const value = args[next++]?.text ?? "";
      return kind === "b" ? unescaped(value) : value;
    });
  return { text };
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|(0?[0-7]{3})|([\s\S]))/g,
    (whole, hex?: string, octal?: string, one: string = "") => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[one] ?? whole;
    },
  );
}

/** Blanks around a name are between names. */
function filled(format: string, arg: Field): Field {
  const [before = "", after = ""] = unescaped(format).split(/%[sq]/);
  return joined(joined(plain(before.trim()), arg), plain(after.replaceAll(/[\s\0]+$/g, "")));
}
