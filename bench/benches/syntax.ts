/** How fast source text becomes facts, in one thread: this repository's own sources. */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import { openSyntax } from "../../src/adapters/syntax/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { Bench } from "../bench.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 5;
const source = join(import.meta.dirname, "../../src");

export const syntax: Bench = {
  name: "syntax",
  method: `Every .ts file of src, read before, in one thread: symbols, imports, references and comments; ${rounds} rounds after one that warms up, by processor time of the process. The floor only parses the same texts with the same grammar.`,
  async run() {
    const facts = await openSyntax({ clock: systemClock() });
    const texts = globSync("**/*.ts", { cwd: source }).map((path) => ({
      path,
      text: readFileSync(join(source, path), "utf8"),
    }));
    const megabytes = texts.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
    const grammar = createRequire(import.meta.url).resolve("tree-sitter-wasm/typescript/tree-sitter-typescript.wasm");
    const parser = new Parser().setLanguage(await Language.load(grammar));
    const seconds = { facts: [] as number[], parse: [] as number[] };
    let symbols = 0;
    for (let round = -1; round < rounds; round++) {
      const parse = processorSeconds(() => texts.forEach(({ text }) => parser.parse(text)?.delete()));
      const all = processorSeconds(() => {
        symbols = texts.reduce((sum, { path, text }) => sum + facts.extract(path, text).symbols.length, 0);
      });
      if (round < 0) continue;
      seconds.parse.push(parse);
      seconds.facts.push(all);
    }
    if (symbols < texts.length) throw new Error(`${symbols} symbols in ${texts.length} files: they were not read`);
    const filesPerSecond = seconds.facts.map((spent) => texts.length / spent);
    const perSecond = (spent: readonly number[]): readonly number[] => spent.map((one) => megabytes / one);
    const overParsing = ratios(seconds.facts, seconds.parse);
    return [
      {
        what: `files of a processor second, of ${texts.length}`,
        value: median(filesPerSecond),
        unit: "/s",
        rounds: filesPerSecond,
      },
      {
        what: "text of a processor second",
        value: median(perSecond(seconds.facts)),
        unit: "MB",
        rounds: perSecond(seconds.facts),
        floor: { what: "parsing alone", value: median(perSecond(seconds.parse)), unit: "MB" },
      },
      { what: "facts / parsing alone", value: median(overParsing), unit: "x", rounds: overParsing },
    ];
  },
};

function processorSeconds(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
