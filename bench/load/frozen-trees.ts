/** The trees that labelled queries speak of, as repositories in a scratch folder. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "./code-trees.ts";
import type { LabelledTree } from "./retrieval-queries.ts";

const root = join(import.meta.dirname, "..", "..");

/** Fails where the source is not the one that was read, or a label names a file that it does not have. */
export function freezeTree({ name, source, queries }: LabelledTree, folder: string): string {
  const tree = join(folder, name.replaceAll(" ", "-"));
  if ("commit" in source) {
    git(folder, "clone", "--quiet", "--no-tags", "--no-checkout", root, tree);
    git(tree, "checkout", "--quiet", "--detach", source.commit);
  } else copyPackage(source, tree);
  const labels = Object.values(queries).flatMap((group) => Object.values(group).flat());
  const absent = labels.filter((path) => !existsSync(join(tree, path)));
  if (absent.length > 0) throw new Error(`bench/load/retrieval-queries.ts: ${name} has no ${absent.join(", ")}`);
  return tree;
}

function copyPackage(
  { npm, version, parts }: Extract<LabelledTree["source"], { readonly npm: string }>,
  tree: string,
): void {
  const installed = join(root, "node_modules", npm);
  const found = (JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { version: string }).version;
  if (found !== version)
    throw new Error(
      `the labels of ${npm} were written for ${version}, installed is ${found}; read them again in bench/load/retrieval-queries.ts`,
    );
  for (const part of parts) {
    mkdirSync(dirname(join(tree, part)), { recursive: true });
    cpSync(join(installed, part), join(tree, part), { recursive: true });
  }
  git(tree, "init", "--quiet", "--initial-branch=main");
  git(tree, "add", "--all", "--force");
  git(tree, "commit", "--quiet", "--message", "frozen");
}
