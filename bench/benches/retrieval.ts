/** How well ranked search finds the files that answer a question, beside plain BM25 and beside the order of `git grep`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openCodeIndex } from "../../src/adapters/index-threads/index.ts";
import { operations, parseInput } from "../../src/contract/index.ts";
import { type CodeIndex, defaultLimits } from "../../src/knowledge/code-index/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { bm25Over } from "../load/bm25.ts";
import { git } from "../load/code-trees.ts";
import { freezeTree } from "../load/frozen-trees.ts";
import { labelledTrees, type QueryGroup } from "../load/retrieval-queries.ts";
import { scratchFolder } from "../processes/scratch-home.ts";

type Rank = (query: string) => Promise<readonly string[]> | readonly string[];
type Judged = { readonly tree: string; readonly group: QueryGroup; readonly mrr: number; readonly ndcg: number };
type Side = "ours" | "BM25" | "git grep";

const depth = 10;
const sides = ["ours", "BM25", "git grep"] as const;
const groups = ["identifier", "words of an identifier", "natural language"] as const;
const count = labelledTrees.flatMap(({ queries }) => Object.values(queries).flatMap(Object.keys)).length;

export const retrieval: Bench = {
  name: "retrieval",
  method: `${count} questions with the files that answer them, written by reading (bench/load/retrieval-queries.ts), over three frozen trees: ${labelledTrees.map(({ name, source }) => ("commit" in source ? `${name} at ${source.commit.slice(0, 8)}` : `${name} ${source.version}`)).join(", ")}. MRR is the mean of 1 / rank of the first right file, nDCG@${depth} counts all right files by their rank, both from 0 to 1 over the first ${depth} files. Ours is \`sylk search --ranked\`; the baseline is BM25 over whole files with identifiers split; \`git grep\` lists the files with all words, by path.`,
  async run() {
    using scratch = scratchFolder();
    const limits = defaultLimits;
    const index = openCodeIndex({ folder: join(scratch.path, "index"), limits, env: process.env, watches: false });
    try {
      const judged: Record<Side, Judged[]> = { ours: [], BM25: [], "git grep": [] };
      for (const labelled of labelledTrees) {
        const tree = freezeTree(labelled, scratch.path);
        const bm25 = bm25Over(tree, git(tree, "ls-files", "-z").split("\0").filter(Boolean));
        const ranks: Record<Side, Rank> = {
          ours: (text) => ranked(index, tree, text),
          BM25: bm25,
          "git grep": (text) => grepOrder(tree, text),
        };
        for (const group of groups)
          for (const [query, right] of Object.entries(labelled.queries[group]))
            for (const side of sides)
              judged[side].push({ tree: labelled.name, group, ...judge(await ranks[side](query), right) });
      }
      return [
        ...figuresOf("all questions", judged, () => true),
        ...groups.flatMap((group) => figuresOf(group, judged, (one) => one.group === group)),
        ...labelledTrees.flatMap(({ name }) => figuresOf(name, judged, (one) => one.tree === name)),
      ];
    } finally {
      await index.stop();
    }
  },
};

async function ranked(index: CodeIndex, tree: string, text: string): Promise<readonly string[]> {
  for (;;) {
    const input = parseInput(operations["code.search"], { text, ranked: true, limit: depth, waitMs: 60_000 });
    const { items, about } = await index.ask("code.search", tree, input);
    if (about.notIndexed.waiting === 0) return items.map(({ path }) => path);
  }
}

function grepOrder(tree: string, text: string): readonly string[] {
  const words = text
    .split(/\W+/)
    .filter(Boolean)
    .flatMap((word) => ["-e", word]);
  const { stdout } = spawnSync("git", ["grep", "-l", "-i", "-F", "--all-match", ...words], {
    cwd: tree,
    encoding: "utf8",
  });
  return stdout.split("\n").filter(Boolean);
}

function judge(found: readonly string[], right: readonly string[]): { readonly mrr: number; readonly ndcg: number } {
  const first = found.slice(0, depth);
  const at = first.findIndex((path) => right.includes(path));
  const gain = (ranks: readonly number[]): number => ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0);
  const ideal = gain(right.slice(0, depth).map((_, rank) => rank));
  return {
    mrr: at === -1 ? 0 : 1 / (at + 1),
    ndcg: gain([...first.keys()].filter((rank) => right.includes(first[rank]!))) / ideal,
  };
}

function figuresOf(
  what: string,
  judged: Record<Side, readonly Judged[]>,
  isAmong: (one: Judged) => boolean,
): readonly Figure[] {
  return (["mrr", "ndcg"] as const).map((measure) => {
    const mean = (side: Side): number => {
      const among = judged[side].filter(isAmong);
      return among.reduce((sum, one) => sum + one[measure], 0) / among.length;
    };
    const [ours, baseline, grep] = sides.map(mean) as [number, number, number];
    const size = judged.ours.filter(isAmong).length;
    return {
      what: `${measure === "mrr" ? "MRR" : `nDCG@${depth}`}, ${what} (${size}; git grep: ${grep.toFixed(3)})`,
      value: ours,
      unit: "of 1",
      rounds: [],
      floor: { what: "BM25", value: baseline, unit: "of 1" },
      target: { text: ">= BM25", met: ours >= baseline },
    };
  });
}
