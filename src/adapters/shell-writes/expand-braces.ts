/** Brace expansion on source text: `a{b,c}` -> `ab`, `ac`; quotes and nested braces are kept for the next round. */

/** The inside of one brace pair -> its alternatives, as source. Undefined for what bash leaves as it is. */
export function braceAlternatives(braces: string, most: number): readonly string[] | undefined {
  const inside = braces.slice(1, -1);
  const parts = topLevelParts(inside);
  return parts.length > 1 ? parts : sequence(inside, most);
}

function topLevelParts(inside: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = "";
  for (let at = 0; at < inside.length; at++) {
    const letter = inside[at]!;
    if (letter === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "{" || letter === "(") depth++;
    else if (letter === "}" || letter === ")") depth--;
    else if (letter === "," && depth === 0) {
      parts.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, inside.slice(start)];
}

function sequence(inside: string, most: number): readonly string[] | undefined {
  const ends = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(inside);
  if (ends === null) return undefined;
  const [, first = "", last = "", by = "1"] = ends;
  const isNumeric = /\d/.test(first) && /\d/.test(last);
  if (!isNumeric && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const from = isNumeric ? Number(first) : first.charCodeAt(0);
  const to = isNumeric ? Number(last) : last.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by)));
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > most) return undefined;
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to >= from ? 1 : -1) * index * step;
    return isNumeric ? String(value).padStart(width, "0") : String.fromCharCode(value);
  });
}
