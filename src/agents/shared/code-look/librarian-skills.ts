/** All skills of the Librarian with what they do: it reads the caller's tree, and changes nothing. */
import type { CodeLook } from "../../../knowledge/code-index/index.ts";
import type { CallableSkill } from "../../skills/index.ts";
import type { KnownFiles } from "../known-files/index.ts";
import { codeCallables, codeSkills, findSymbol, searchCode } from "./code-skills.ts";
import { fileCallables, fileSkills, getFile } from "./file-skills.ts";
import type { ScanRemote } from "../../../knowledge/remote-scan/index.ts";
import { remoteCallable, scanRemoteRepo } from "./remote-skill.ts";
import { toolCallables, type ToolLook, toolSkills } from "./tool-skills.ts";

export type LibrarianPorts = ToolLook & {
  readonly files: KnownFiles;
  readonly look: CodeLook;
  readonly scanRemote: ScanRemote;
};

export const librarianSkills = {
  core: [findSymbol, searchCode, getFile],
  extended: [...codeSkills, ...fileSkills, ...toolSkills, scanRemoteRepo],
} as const;

export function librarianCallables(ports: LibrarianPorts): readonly CallableSkill[] {
  return [
    ...codeCallables(ports.look),
    ...fileCallables(ports.files),
    ...toolCallables(ports),
    remoteCallable(ports.scanRemote),
  ];
}
