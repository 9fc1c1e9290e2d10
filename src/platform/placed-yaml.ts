/**
 * YAML (or JSON, which is YAML) as plain values, with the place of each.
 *
 *   text -> yaml document -> walk -> value + place of every path | problems, each with its place
 *
 * The text may be a stranger's: no aliases, so the walk is finite; repeated keys are found here because the library's own
 * check is quadratic; depth and number of values are bounded. An import of this loads the yaml library: import it lazily.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";

export type Place = { readonly line: number; readonly column: number };
export type PlacedProblem = Place & { readonly message: string };
export type PlacedYaml = {
  readonly value: unknown;
  /** Of the value, or of the nearest thing around it: a missing value has no place. */
  placeOf(path: readonly PropertyKey[]): Place;
};
type Limits = { readonly mostValues: number };

const deepest = 40;

export function parsePlacedYaml(
  text: string,
  { mostValues }: Limits = { mostValues: 20_000 },
): PlacedYaml | { readonly problems: readonly PlacedProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument<Node, false>(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const problems: PlacedProblem[] = [];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report = (offset: number, message: string) => void problems.push({ ...placeAt(offset), message });
  for (const { pos, code, message } of document.errors) report(pos[0], syntaxMessage(code, message));
  if (problems.length > 0) return { problems }; // anything after broken syntax is guesswork
  const walk = plainWalk(report, mostValues);
  const value = walk.valueOf(document.contents, [], 0);
  return problems.length > 0 ? { problems } : { value, placeOf: (path) => placeAt(walk.offsetOf(path)) };
}

type Path = readonly PropertyKey[];

function plainWalk(report: (offset: number, message: string) => void, mostValues: number) {
  const offsets = new Map<string, number>();
  let values = 0;

  const valueOf = (node: Node | null, path: Path, otherwise: number): unknown => {
    const offset = node?.range?.[0] ?? otherwise;
    const refuse = (message: string) => report(offset, message);
    if (!offsets.has(keyOf(path))) offsets.set(keyOf(path), offset);
    if (++values > mostValues)
      return values === mostValues + 1 ? refuse(`holds more than ${mostValues} values`) : undefined;
    if (path.length > deepest) return refuse("is nested too deeply");
    if (isAlias(node)) return refuse("aliases are not read; write the value out");
    if (isMap(node)) return mapOf(node.items as Pair<Node | null, Node | null>[], path, offset);
    if (isSeq(node)) return node.items.map((item, index) => valueOf(item as Node | null, [...path, index], offset));
    const value = isScalar(node) ? node.value : null;
    if (value === null || isPlain(value)) return value;
    return refuse("must be a text, a number, true, false or empty");
  };

  const mapOf = (items: readonly Pair<Node | null, Node | null>[], path: Path, otherwise: number) => {
    const map: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const offset = key?.range?.[0] ?? otherwise;
      const name = isScalar(key) && isPlain(key.value) ? String(key.value) : undefined;
      if (name === undefined || name === "__proto__") report(offset, "this cannot name a value");
      else if (Object.hasOwn(map, name)) report(offset, `"${name}" appears here a second time`);
      else {
        offsets.set(keyOf([...path, name]), offset);
        map[name] = valueOf(value, [...path, name], offset);
      }
    }
    return map;
  };

  const offsetOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length--) {
      const offset = offsets.get(keyOf(path.slice(0, length)));
      if (offset !== undefined) return offset;
    }
    return 0;
  };
  return { valueOf, offsetOf };
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Joined as an error names it, so that a path that came back as text finds its place, dots in names included. */
function keyOf(path: Path): string {
  return path.map(String).join(".");
}

function syntaxMessage(code: string, message: string): string {
  if (code === "RESOURCE_EXHAUSTION") return "is nested too deeply";
  if (code === "MULTIPLE_DOCS") return "holds several documents, and only one is read";
  return message;
}
