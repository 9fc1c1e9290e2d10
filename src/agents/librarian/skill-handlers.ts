/** The Librarian's skills with what they do: it reads the caller's tree, and changes nothing. */
import type { CodeLook } from "../../knowledge/code-index/index.ts";
import { callable, type CallableSkill } from "../skills/index.ts";
import { deepCallables, lookCallables } from "../shared/code-look/index.ts";
import {
  findFiles as findFilesIn,
  inLines,
  type KnownFiles,
  matching,
  structureOf,
} from "../shared/known-files/index.ts";
import { toolCallables, type ToolLook } from "./tool-skills.ts";
import { findFiles, getFile, getStructure, listFiles } from "./skills.ts";

export type LibrarianPorts = ToolLook & {
  readonly files: KnownFiles;
  readonly look: CodeLook;
};

export function librarianCallables({ files, look, toolsIn, scanTools }: LibrarianPorts): readonly CallableSkill[] {
  return [
    ...lookCallables(look),
    ...deepCallables(look),
    callable(getFile, "read", async ({ path, start_line: from, end_line: to }) =>
      inLines(await files.read(path), { from, to }),
    ),
    callable(listFiles, "read", async ({ pattern }) => matching(pattern, await files.list()).shown),
    ...toolCallables({ files, toolsIn, scanTools }),
    findFilesIn(findFiles, files),
    callable(getStructure, "read", async ({ path }) => structureOf(path, await files.list())),
  ];
}
