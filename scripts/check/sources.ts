/** The TypeScript sources of a tree, and their syntax trees for the rules no tool has. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";

export function listSources(root: string, folders: readonly string[]): string[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const files = globSync(patterns, { cwd: root, exclude: (path) => path === "node_modules" });
  return files.map((file) => file.split(sep).join("/")).toSorted();
}

const parsed = new Map<string, ts.SourceFile>();

/** Several checks read the same files: each text is parsed once. */
export function parseSource(root: string, file: string): ts.SourceFile {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(path, source);
  return source;
}

/** Calls `visit` for every node, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** `file:line`, as editors and terminals understand it. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** The text of the line on which a node starts. */
export function lineOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return source.text.split("\n")[line] ?? "";
}
