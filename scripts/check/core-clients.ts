/**
 * The core names no third-party client: an adapter in src/adapters knows its own, and src/adapters/clients lists them.
 * An `example` of the contract may name one, because a reader needs a real value.
 */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";
import type { Check } from "./check.ts";
import { listSources, parseSource } from "./sources.ts";

const CORE = ["contract", "platform", "coordination", "knowledge", "oversight", "orchestration", "agents", "data"];
const CLIENT = /claude[ _-]?code|codex|opencode|gemini/gi;
/** Prices are listed by model, and models have names like these. */
const MODELS = new Set(["src/oversight/ledger/listed-prices.ts"]);
const TESTS = /(\.test|\/testkit)\.ts$/;

export const coreClients: Check = {
  name: "core-clients",
  run: (root) => {
    const folders = CORE.map((folder) => `src/${folder}`);
    const sources = listSources(root, folders).filter((file) => !TESTS.test(file) && !MODELS.has(file));
    const texts = globSync(
      folders.map((folder) => `${folder}/**/*.{sql,md}`),
      { cwd: root },
    ).map((file) => file.split(sep).join("/"));
    return Promise.resolve([
      ...sources.flatMap((file) => findNames(file, withoutExamples(parseSource(root, file)))),
      ...texts.toSorted().flatMap((file) => findNames(file, readFileSync(join(root, file), "utf8"))),
    ]);
  },
};

function findNames(file: string, text: string): string[] {
  return [...text.matchAll(CLIENT)].map((found) => {
    const line = text.slice(0, found.index).split("\n").length;
    return `${file}:${line}: names the client ${found[0]}; only src/adapters knows clients`;
  });
}

/** The text of a file with every value of an `example` blanked out; lines keep their numbers. */
function withoutExamples(source: ts.SourceFile): string {
  let { text } = source;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === "example")
      text = text.slice(0, node.getStart()) + node.getText().replaceAll(/[^\n]/g, " ") + text.slice(node.end);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return text;
}
