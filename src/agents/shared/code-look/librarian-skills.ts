/** All skills of the Librarian with what they do: it reads the caller's tree, and changes nothing. */
import { invalidInput } from "../../../contract/index.ts";
import type { CodeLook } from "../../../knowledge/code-index/index.ts";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { CallableSkill, SkillCall } from "../../skills/index.ts";
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

/** The skills as tools of a model, carried out elsewhere. */
export function librarianTools(call: (skill: string, input: unknown, signal: AbortSignal) => Promise<unknown>) {
  return [...librarianSkills.core, ...librarianSkills.extended].map(({ name, description, input }): ModelTool => ({
    name,
    description,
    input,
    run: (given, { signal }) => call(name, given, signal),
  }));
}

export async function callLibrarian(
  { skill, input }: { readonly skill: string; readonly input: unknown },
  ports: LibrarianPorts,
  { session, signal }: Pick<SkillCall, "session" | "signal">,
): Promise<unknown> {
  const found = librarianCallables(ports).find((one) => one.skill.name === skill);
  if (found === undefined) throw invalidInput("skill", `the Librarian has no skill "${skill}"`);
  return found.run(input, { session, signal, agent: "librarian" });
}
