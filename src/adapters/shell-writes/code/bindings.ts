/** Finds the names that statements of code set, each with the place where its value begins. */
import type { Token } from "./read-tokens.ts";

export type Binding = {
  readonly name: string;
  readonly at: number;
  readonly from: number;
  readonly index?: number | undefined;
};

/** Names that statements set, each with where its value begins. */
export function bindingsIn(tokens: readonly Token[]): Map<string, Binding[]> {
  const all = new Map<string, Binding[]>();
  const add = (name: string, at: number, from: number, index?: number): void => {
    all.set(name, [...(all.get(name) ?? []), { name, at, from, index }]);
  };
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token.kind === "name" && next?.kind === "sign" && ["=", ":=", "||=", "??="].includes(next.text))
      add(token.text, at, at + 2);
    if (token.kind === "sign" && /^[)\]}]$/.test(token.text) && next?.kind === "sign" && next.text === "=") {
      const names: string[] = [];
      for (let before = at - 1; before >= 0 && before > at - 40; before--) {
        const one = tokens[before]!;
        if (one.kind === "sign" && /^[([{]$/.test(one.text)) break;
        if (one.kind === "name") names.unshift(one.text);
      }
      for (const [index, name] of names.entries()) add(name, at, at + 2, index);
    }
    if (token.kind === "name" && /^(?:for|foreach)$/.test(token.text)) bindLoop(tokens, at, add);
  }
  return all;
}

/** `for a, b in list`, `for (const a of list)`, `foreach my $a (list)`, `foreach (list as $a)`, `for (list)` */
function bindLoop(
  tokens: readonly Token[],
  at: number,
  add: (name: string, at: number, from: number, index?: number) => void,
): void {
  const names: string[] = [];
  for (let next = at + 1; next < Math.min(tokens.length, at + 24); next++) {
    const token = tokens[next]!;
    if (token.kind === "name" && /^(?:in|of)$/.test(token.text)) {
      for (const [index, name] of names.entries()) add(name, at, next + 1, names.length > 1 ? index : undefined);
      return;
    }
    if (token.kind === "name" && token.text === "as") {
      const last = tokens.slice(next + 1, next + 5).findLast((one) => one.kind === "name" && one.text.startsWith("$"));
      if (last !== undefined) add((last as { text: string }).text, at, at + 2);
      return;
    }
    if (token.kind === "name" && !/^(?:const|let|var|my|our|local)$/.test(token.text)) names.push(token.text);
    if (token.kind === "sign" && token.text === "(" && names.length === 1 && names[0]!.startsWith("$"))
      return add(names[0]!, at, next);
    if (token.kind === "sign" && /^[;{\n]$/.test(token.text)) break;
  }
  const [first] = tokens.slice(at + 1);
  if (first?.kind === "sign" && first.text === "(") add("$_", at, at + 1);
  else if (names.length > 0) add("$_", at, at + 1);
}
