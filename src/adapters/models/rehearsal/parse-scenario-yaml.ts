/**
 * Turns YAML (or JSON, which is YAML) into a checked value, with the place of every problem.
 *
 *   text -> yaml document -> walk: plain values + offset of each path -> schema -> value | InvalidScenario
 *
 * Loaded only when a scenario is read. The file may be a stranger's: no aliases, so the walk is finite; repeated keys
 * are found here because the library's own check is quadratic; depth and number of values are bounded.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import type * as z from "zod";
import { InvalidScenario, type ScenarioProblem } from "./invalid-scenario.ts";

const deepest = 40;
const mostValues = 20_000;

export function parseScenarioYaml<T>(text: string, file: string, schema: z.ZodType<T>): T {
  const lines = new LineCounter();
  const document = parseDocument<Node, false>(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const problems: ScenarioProblem[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ where: `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`, message });
  };
  for (const { pos, code, message } of document.errors) report(pos[0], syntaxMessage(code, message));
  if (problems.length > 0) throw new InvalidScenario(problems); // what stands behind broken syntax is guesswork

  const walk = plainWalk(report);
  const value = walk.valueOf(document.contents, [], 0);
  if (problems.length > 0) throw new InvalidScenario(problems);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  for (const { offset, message } of checked.error.issues.flatMap((issue) => placed(issue, walk.offsetOf)))
    report(offset, message);
  throw new InvalidScenario(problems);
}

type Path = readonly PropertyKey[];
type Report = (offset: number, message: string) => void;

function plainWalk(report: Report) {
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
      if (name === undefined || name === "__proto__") report(offset, "this is no name for a value");
      else if (Object.hasOwn(map, name)) report(offset, `"${name}" stands here a second time`);
      else {
        offsets.set(keyOf([...path, name]), offset);
        map[name] = valueOf(value, [...path, name], offset);
      }
    }
    return map;
  };

  /** The nearest place that exists, for what is missing stands nowhere. */
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

function keyOf(path: Path): string {
  return path.map(String).join("\u0000");
}

function placed(issue: z.core.$ZodIssue, offsetOf: (path: Path) => number): { offset: number; message: string }[] {
  const name = issue.path.map(String).join(".") || "the scenario";
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      offset: offsetOf([...issue.path, key]),
      message: `"${key}" is not known in ${name}`,
    }));
  return [{ offset: offsetOf(issue.path), message: `${name}: ${issue.message}` }];
}

function syntaxMessage(code: string, message: string): string {
  if (code === "RESOURCE_EXHAUSTION") return "is nested too deeply";
  if (code === "MULTIPLE_DOCS") return "holds several documents, and only one is read";
  return message;
}
