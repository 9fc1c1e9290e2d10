/** Import statements as modules and the names taken from them. */
import type { ImportFact } from "../../knowledge/code-index/index.ts";
import type { Captures } from "./collect-captures.ts";
import { unquoted } from "./read-symbols.ts";
import type { SourceText } from "./source-text.ts";

const mostMembers = 1_000;

export function readImports(
  captures: Captures,
  { text }: SourceText,
  separator: string | undefined,
): readonly ImportFact[] {
  const names = [...captures.named("import.name")].sort((a, b) => a.startIndex - b.startIndex);
  const sorted = [...captures.imports.values()].sort((a, b) => a.module.startIndex - b.module.startIndex);
  let next = 0;
  return sorted.flatMap(({ statement, module, form }) => {
    const line = module.startPosition.row + 1;
    const whole = unquoted(text.slice(module.startIndex, module.endIndex).trim());
    const path = form === "requirement" ? (/^[\w.-]+/.exec(whole)?.[0] ?? "") : whole;
    if (form === "tree") return expandTree(path, separator ?? ".").map((found) => ({ ...found, line }));
    const end = statement.endIndex;
    const taken: string[] = [];
    while (names[next] !== undefined && names[next]!.startIndex < statement.startIndex) next += 1;
    for (let at = next; at < names.length && names[at]!.startIndex < end; at += 1)
      taken.push(unquoted(text.slice(names[at]!.startIndex, names[at]!.endIndex)));
    return path === "" ? [] : [{ module: path, names: taken, line }];
  });
}

/** `a::{b, c::{d as e, self}}` takes b from a, and d and self from a::c. */
function expandTree(
  tree: string,
  separator: string,
): readonly { readonly module: string; readonly names: readonly string[] }[] {
  const members = new Map<string, string[]>();
  const prefixes: string[] = [];
  let prefix = "";
  let word = "";
  const take = (): void => {
    const path = prefix + word.replace(/\s+(?:as|=>)\s.*$/s, "").trim();
    word = "";
    if (path === prefix && prefix !== "") return;
    const cut = path.lastIndexOf(separator);
    const module = cut === -1 ? path : path.slice(0, cut);
    const names = members.get(module) ?? [];
    if (cut !== -1 && names.length < mostMembers) names.push(path.slice(cut + separator.length));
    if (module !== "" && members.size < mostMembers) members.set(module, names);
  };
  for (const letter of tree) {
    if (letter === "{") {
      prefixes.push(prefix);
      prefix += word.trim();
      word = "";
    } else if (letter === "," || letter === "}") {
      take();
      if (letter === "}") prefix = prefixes.pop() ?? "";
    } else word += letter;
  }
  if (word.trim() !== "") take();
  return [...members].map(([module, names]) => ({ module, names }));
}
