/** The Librarian's skills with what they do: it reads the caller's tree, and changes nothing. */
import { callable, type CallableSkill } from "../skills/index.ts";
import {
  findFiles as findFilesIn,
  inLines,
  type KnownFiles,
  matching,
  structureOf,
} from "../shared/known-files/index.ts";
import { toolCallables, type ToolLook } from "./tool-skills.ts";
import { findFiles, getFile, getStructure, listFiles, searchCode } from "./skills.ts";

export type LibrarianPorts = ToolLook & {
  readonly files: KnownFiles;
  /** Files that share words with the question, the best first. */
  search(question: string, among?: readonly string[]): Promise<unknown>;
};

export function librarianCallables({ files, search, toolsIn }: LibrarianPorts): readonly CallableSkill[] {
  return [
    callable(searchCode, "read", async ({ query, file_pattern: pattern }) =>
      search(query, pattern === undefined ? undefined : matching(pattern, await files.list()).all),
    ),
    callable(getFile, "read", async ({ path, start_line: from, end_line: to }) =>
      inLines(await files.read(path), { from, to }),
    ),
    callable(listFiles, "read", async ({ pattern }) => matching(pattern, await files.list()).shown),
    ...toolCallables({ files, toolsIn }),
    findFilesIn(findFiles, files),
    callable(getStructure, "read", async ({ path }) => structureOf(path, await files.list())),
  ];
}
