/**
 * The skills that a project or a person keeps as folders, each with a SKILL.md.
 *
 *   <root>/<name>/SKILL.md -> skills, and every folder that could not be read with the reason
 *
 * One bad folder hides no other. Links are not followed: a repository must not make us read what lies outside it.
 */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Skill } from "./define-skill.ts";
import { type FileProblem, InvalidSkillFile, largestFile, parseSkillFile } from "./parse-skill-file.ts";

export type SkillFolders = {
  /** By name. */
  readonly skills: readonly (Skill & { readonly file: string })[];
  readonly problems: readonly { readonly file: string; readonly problems: readonly FileProblem[] }[];
};

/** A person does not write so many by hand; a repository with more of them is an attack. */
const mostFolders = 500;

/** All of them, or the one that is named. */
export async function readSkillFolders(root: string, only?: string): Promise<SkillFolders> {
  const skills: SkillFolders["skills"][number][] = [];
  const problems: SkillFolders["problems"][number][] = [];
  const folders = only === undefined ? await foldersIn(root) : [only];
  if (folders.length > mostFolders)
    problems.push({
      file: root,
      problems: [{ message: `it has ${folders.length} folders; those after the first ${mostFolders} are not read` }],
    });
  for (const folder of folders.slice(0, mostFolders)) {
    const file = join(root, folder, "SKILL.md");
    try {
      const content = await contentOf(file);
      if (content !== undefined) skills.push({ ...parseSkillFile(content, folder), file });
    } catch (error) {
      const said =
        error instanceof InvalidSkillFile ? error.problems : [{ message: `it cannot be read: ${String(error)}` }];
      problems.push({ file, problems: said });
    }
  }
  return { skills, problems };
}

/** No root means no skills; anything else that is wrong with it is told. */
async function foldersIn(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Undefined for a folder that is none of ours: it holds no SKILL.md. */
async function contentOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (!found) return undefined;
  if (!found.isFile()) throw new InvalidSkillFile([{ message: "it is not a plain file; links are not followed" }]);
  if (found.size > largestFile) throw new InvalidSkillFile([{ message: `it is larger than ${largestFile} bytes` }]);
  return readFile(file, "utf8");
}
