/** Repositories to index: a copy of this one, and one of many small files that refer to each other. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@sylk.invalid", "-c", "commit.gpgsign=false"];

export type CodeTrees = Disposable & { readonly folder: string; readonly own: string };

export function git(tree: string, ...args: readonly string[]): string {
  return execFileSync("git", [...identity, ...args], { cwd: tree, encoding: "utf8", maxBuffer: 1e9 });
}

export function copyThisRepository(): CodeTrees {
  const folder = mkdtempSync(join(tmpdir(), "sylk-bench-code-"));
  const own = join(folder, "own");
  git(folder, "clone", "--quiet", "--no-tags", root, own);
  return { folder, own, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Each file exports a function and calls those of three others. */
export function manyFiles(folder: string, count: number): string {
  const tree = join(folder, `many-${count}`);
  mkdirSync(tree);
  git(tree, "init", "--quiet", "--initial-branch=main");
  for (let at = 0; at < count; at++) {
    const others = [at >> 1, at >> 3, (at * 7) % count].map((other) => `call${other}`);
    const lines = [
      ...others.map(
        (name, index) =>
          `import { ${name} } from "../d${[at >> 1, at >> 3, (at * 7) % count][index]! % 50}/${name}.ts";`,
      ),
      `/** Does step ${at}. */`,
      `export function call${at}(input: string): string {`,
      `  return ${others.map((name) => `${name}(input)`).join(" + ")};`,
      "}",
    ];
    mkdirSync(join(tree, `d${at % 50}`), { recursive: true });
    writeFileSync(join(tree, `d${at % 50}`, `call${at}.ts`), `${lines.join("\n")}\n`);
  }
  git(tree, "add", ".");
  git(tree, "commit", "--quiet", "--message", "many");
  return tree;
}
