/**
 * The skills that lie in files, each with where it comes from.
 *
 *   names of Sylk's own skills  >  <tree>/.sylk/skills  >  <home>/skills        the first that has a name keeps it
 *
 * Files may be a stranger's: what they say is fenced as data, they never take the name of a skill of Sylk's own, and a
 * folder that leads out of its tree by a link is not read. Nothing about them makes a run fail: it is told instead.
 */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { messageOf } from "../../contract/errors.ts";
import { untrusted } from "../../platform/untrusted-text.ts";
import type { Skill } from "./define-skill.ts";
import type { FileProblem } from "./parse-skill-file.ts";
import { readSkillFolders, type SkillFolders } from "./read-skill-folders.ts";
import type { TokenMeter } from "./token-meter.ts";

type FileSource = "project" | "user";
export type FileSkill = Skill & { readonly source: FileSource; readonly file: string; readonly tokens: number };
export type SkillPlaces = {
  /** Working tree of the project, where its skills count. */
  readonly tree?: string | undefined;
  /** The folder with the person's own. */
  readonly user: string;
};
export type FileSkills = {
  readonly skills: readonly FileSkill[];
  readonly problems: readonly ({ readonly file: string } & FileProblem)[];
};
export type CollectTerms = {
  /** Names that no file may have. */
  readonly taken: ReadonlySet<string>;
  readonly measure: TokenMeter;
};
type Root = {
  readonly root: string;
  readonly within?: string;
  readonly only?: string;
  readonly source: FileSource;
};

export function readFileSkills({ tree, user }: SkillPlaces, terms: CollectTerms): Promise<FileSkills> {
  const own: Root = { root: user, source: "user" };
  if (tree === undefined) return collect([own], terms);
  return collect([{ root: join(tree, ".sylk", "skills"), within: tree, source: "project" }, own], terms);
}

/** A folder with skills, or the folder or SKILL.md of one. */
export async function readSkillsAt(path: string, terms: CollectTerms): Promise<FileSkills> {
  const folder = basename(path) === "SKILL.md" ? dirname(path) : path;
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return { skills: [], problems: [{ file: path, message: "there is no such file or folder" }] };
  const isSkill = await lstat(join(folder, "SKILL.md")).then(
    () => true,
    () => false,
  );
  const place = isSkill ? { root: dirname(folder), only: basename(folder) } : { root: folder };
  return collect([{ ...place, source: "project" }], terms);
}

async function collect(roots: readonly Root[], { taken, measure }: CollectTerms): Promise<FileSkills> {
  const problems: FileSkills["problems"][number][] = [];
  const kept = new Map<string, Omit<FileSkill, "tokens">>();
  for (const place of roots) {
    const { source } = place;
    const found = await foldersAt(place);
    problems.push(...found.problems.flatMap(({ file, problems: said }) => said.map((one) => ({ file, ...one }))));
    for (const skill of found.skills) {
      const { name, file } = skill;
      const first = kept.get(name);
      if (taken.has(name))
        problems.push({ file, message: `name: "${name}" is a skill of Sylk's own; give it and its folder another` });
      else if (first !== undefined) problems.push({ file, message: `name: ${first.file} has it too, and comes first` });
      else kept.set(name, { ...skill, source, prompt: untrusted(skill.prompt, `skill ${name} of the ${source}`) });
    }
  }
  const skills = [...kept.values()];
  const sizes = await measure(skills.map(({ prompt }) => prompt));
  return { skills: skills.map((skill, index) => ({ ...skill, tokens: sizes[index]! })), problems };
}

async function foldersAt({ root, within, only }: Root): Promise<SkillFolders> {
  const refused = (message: string): SkillFolders => ({
    skills: [],
    problems: [{ file: root, problems: [{ message }] }],
  });
  try {
    const leadsOut = within !== undefined && !(await isInside(root, within));
    return leadsOut
      ? refused("a link leads out of the project; it is not followed")
      : await readSkillFolders(root, only);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { skills: [], problems: [] };
    return refused(`it cannot be read: ${messageOf(error)}`);
  }
}

/** After resolving links. */
export async function isInside(path: string, root: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realpath(path), realpath(root)]);
  return inner === outer || inner.startsWith(outer + sep);
}
