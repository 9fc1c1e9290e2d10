/** An index that lives for one commit: what HEAD has, and exactly the files of this commit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangedFile } from "../../../coordination/commits/index.ts";
import type { Git, GitOptions } from "../run-git.ts";
import { parseChanges, type Entry } from "./parse-changes.ts";

export type ThrowAwayIndex = Disposable & {
  readonly file: string;
  readonly folder: string;
  /** Begins anew from a commit; undefined before the first. */
  startFrom(head: string | undefined): Promise<void>;
  /** Takes the files as they are in the tree now; one that is gone is removed. */
  stage(files: readonly ChangedFile[]): Promise<void>;
  put(entries: readonly Entry[]): Promise<void>;
  /** What it changes against a commit. */
  entries(head: string | undefined): Promise<readonly Entry[]>;
  writeTree(): Promise<string>;
};

export function openThrowAwayIndex(git: Git, tree: string): ThrowAwayIndex {
  const folder = mkdtempSync(join(tmpdir(), "sylk-index-"));
  const file = join(folder, "index");
  const run = (args: readonly string[], options: GitOptions = {}) =>
    git(tree, args, { encoding: "latin1", ...options, env: { GIT_INDEX_FILE: file } });
  return {
    file,
    folder,
    async startFrom(head) {
      await run(["read-tree", ...(head === undefined ? ["--empty"] : [head])]);
    },
    async stage(files) {
      const input = files.map(({ bytes }) => `${bytes}\0`).join("");
      await run(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], { input });
    },
    async put(entries) {
      await run(["update-index", "--add", "-z", "--index-info"], { input: indexInfo(entries) });
    },
    async entries(head) {
      const base = head ?? (await git(tree, ["hash-object", "-t", "tree", "/dev/null"])).trim();
      const form = ["--raw", "--numstat", "--no-abbrev", "--no-renames", "-z"];
      return parseChanges(await run(["diff-index", "--cached", ...form, base]));
    },
    writeTree: async () => (await run(["write-tree"])).trim(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What `git update-index --index-info` reads: the gone ones first, since a file may stand where a folder was. */
export function indexInfo(entries: readonly Entry[]): string {
  const gone = entries.filter(({ mode }) => mode === "0");
  const there = entries.filter(({ mode }) => mode !== "0");
  return [...gone, ...there].map(({ mode, object, bytes }) => `${mode} ${object}\t${bytes}\0`).join("");
}
