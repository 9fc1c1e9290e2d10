/**
 * Texts that every match of a regular expression must contain, to narrow where it is looked for.
 *
 *   foo\.bar(baz)?qux+ -> "foo.bar" "qux"
 *
 * Only what is certain: an alternative at the top, or anything not understood, gives none, and all files are looked at.
 */
const plain = /[^\\^$.|?*+()[\]{}]/u;
const optional = /[?*{]/;

export function literalParts(source: string): readonly string[] {
  const parts: string[] = [];
  let run = "";
  const end = (): void => {
    if (run !== "") parts.push(run);
    run = "";
  };
  const characters = Array.from(source);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "|") return [];
    let literal: string | undefined;
    if (plain.test(character)) literal = character;
    else if (character === "\\") {
      const escaped = characters[++at] ?? "";
      if (/[dDwWsSbBnrtfv0-9cxukpP]/.test(escaped)) {
        if (/[cxukp0-9]/i.test(escaped)) return []; // what follows belongs to it
      } else literal = escaped;
    } else if (character === "(" || character === "[") {
      const close = closing(characters, at);
      if (close === undefined) return [];
      at = close;
    } else if (character === "{") {
      const close = characters.indexOf("}", at);
      if (close === -1) return [];
      at = close;
    }
    // What may be absent is not part of every match; what may repeat ends a run after its first.
    if (literal !== undefined && optional.test(characters[at + 1] ?? "")) end();
    else if (literal === undefined) end();
    else {
      run += literal;
      if (characters[at + 1] === "+") end();
    }
  }
  end();
  return parts.filter((part) => Array.from(part).length >= 3);
}

/** Where the group or class that begins here ends. */
function closing(characters: readonly string[], from: number): number | undefined {
  let depth = 0;
  let isClass = false;
  for (let at = from; at < characters.length; at++) {
    const character = characters[at];
    if (character === "\\") at++;
    else if (isClass) isClass = character !== "]";
    else if (character === "[") isClass = true;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    if (!isClass && depth === 0) return at;
  }
  return undefined;
}
