/**
 * A map of the repository for a reader with little room: the most important files with their symbols.
 *
 *   references and imports -> graph of files -> importance by random walk (PageRank) -> blocks -> as many as fit
 *
 * Invariant: the map never has more tokens than asked for; it is counted as a whole before it is given out.
 */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import { importsOf, writtenOf } from "./list-imports.ts";
import { symbolsIn } from "./list-symbols.ts";
import { insideTree } from "./outline.ts";
import { resolveImport } from "./resolve-import.ts";
import { treePathsOf } from "./tree-paths.ts";
import { type Answered, type FileRow, filesOf, type QuestionPorts, type View } from "./view.ts";

type Mapped = Answered<Omit<OutputOf<"code.map">, "about">>;

const damping = 0.85;
const rounds = 30;
/** A name that many files define says little about which is meant. */
const mostDefiners = 8;
const symbolsPerFile = 12;
const longestSignature = 100;
/** No token has more characters of code than this on average, so more blocks than this never fit. */
const charactersPerToken = 8;
const importWeight = 3;

export async function mapRepository(
  { tokens, in: folder }: Pick<InputOf<"code.map">, "tokens" | "in">,
  view: View,
  { measure }: Pick<QuestionPorts, "measure">,
): Promise<Mapped> {
  const all = filesOf(view);
  const place = folder === undefined ? "" : insideTree(folder);
  const importance = importanceOf(all, view);
  const ranked = all
    .filter(({ path }) => place === "" || path === place || path.startsWith(`${place}/`))
    .sort((a, b) => importance.get(b.path)! - importance.get(a.path)! || (a.path < b.path ? -1 : 1));
  const blocks: string[] = [];
  for (let length = 0, at = 0; at < ranked.length && length < tokens * charactersPerToken; at++) {
    blocks.push(blockOf(ranked[at]!, view));
    length += blocks[at]!.length;
  }
  const { text, count, used } = await fit(blocks, tokens, measure);
  return {
    text,
    tokens: count,
    files: used,
    left: ranked.length - used,
    rests: { provider: "syntax", confidence: "likely" },
  };
}

function blockOf({ path, blob }: FileRow, view: View): string {
  const symbols = symbolsIn(view, { kind: "any", in: path, blob }, 500).filter(
    ({ container, kind }) => container === undefined && kind !== "heading" && kind !== "config",
  );
  const exported = symbols.filter((symbol) => symbol.exported);
  const shown = (exported.length > 0 ? exported : symbols).slice(0, symbolsPerFile);
  const left = symbols.length - shown.length;
  const lines = shown.map(({ line, signature }) => `  ${line}: ${shortened(signature)}`);
  return [path, ...lines, ...(left > 0 ? [`  … ${left} more`] : [])].join("\n");
}

function shortened(signature: string): string {
  return signature.length > longestSignature ? `${signature.slice(0, longestSignature)}…` : signature;
}

async function fit(blocks: readonly string[], most: number, measure: QuestionPorts["measure"]) {
  const counts = await measure(blocks.map((block) => `${block}\n`));
  let used = 0;
  for (let sum = 0; used < blocks.length && sum + counts[used]! <= most; used++) sum += counts[used]!;
  for (;;) {
    const text = blocks.slice(0, used).join("\n");
    const [count = 0] = text === "" ? [0] : await measure([text]);
    if (count <= most) return { text, count, used };
    used--;
  }
}

/** By path. A file is important when important files refer to what it exports. */
function importanceOf(files: readonly FileRow[], view: View): ReadonlyMap<string, number> {
  const index = new Map(files.map(({ path }, at) => [path, at]));
  const edges = edgesOf(files, index, view);
  const count = files.length;
  let rank = new Float64Array(count).fill(1 / Math.max(1, count));
  const out = edges.map((targets) => [...targets.values()].reduce((sum, weight) => sum + weight, 0));
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(count).fill((1 - damping) / Math.max(1, count));
    let lost = 0;
    for (const [from, targets] of edges.entries()) {
      if (out[from] === 0) lost += rank[from]!;
      else for (const [to, weight] of targets) next[to]! += (damping * rank[from]! * weight) / out[from]!;
    }
    for (let at = 0; at < count; at++) next[at]! += (damping * lost) / count;
    rank = next;
  }
  return new Map(files.map(({ path }, at) => [path, rank[at]!]));
}

function edgesOf(
  files: readonly FileRow[],
  index: ReadonlyMap<string, number>,
  view: View,
): readonly Map<number, number>[] {
  const edges = files.map(() => new Map<number, number>());
  const add = (from: number, to: number, weight: number): void => {
    if (from !== to) edges[from]!.set(to, (edges[from]!.get(to) ?? 0) + weight);
  };
  const tree = treePathsOf(view);
  for (const row of importsOf(view)) {
    const targets = resolveImport(writtenOf(row), tree).flatMap((path) => index.get(path) ?? []);
    for (const target of targets) add(index.get(row.path)!, target, importWeight / targets.length);
  }
  const byBlob = Map.groupBy(files, ({ blob }) => blob);
  const placesOf = (blob: number): readonly number[] => (byBlob.get(blob) ?? []).map(({ path }) => index.get(path)!);
  for (const [name, definers] of definersOf(view, byBlob))
    for (const { blob } of view.sql.all("SELECT blob FROM reference WHERE name = ?", name))
      for (const from of placesOf(blob as number))
        for (const definer of definers) for (const to of placesOf(definer)) add(from, to, 1 / definers.length);
  return edges;
}

function definersOf({ sql }: View, byBlob: ReadonlyMap<number, unknown>): ReadonlyMap<number, readonly number[]> {
  const definers = new Map<number, number[]>();
  for (const { name, blob } of sql.all(
    "SELECT DISTINCT name, blob FROM symbol WHERE exported = 1 AND kind NOT IN ('heading', 'config')",
  )) {
    if (!byBlob.has(blob as number)) continue;
    const known = definers.get(name as number);
    if (known === undefined) definers.set(name as number, [blob as number]);
    else known.push(blob as number);
  }
  for (const [name, blobs] of definers) if (blobs.length > mostDefiners) definers.delete(name);
  return definers;
}
