/**
 * All skills one agent may load, each with where it comes from.
 *
 *   the role's own  >  <tree>/.sylk/skills  >  <home>/skills        the first that has a name keeps it
 *
 * Files may be a stranger's: what they say is fenced as data, they never take the name of a skill of Sylk's own, and a
 * folder that leads out of its tree by a link is not read. Nothing about them makes a run fail: it is told instead.
 */
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { untrusted } from "../../platform/untrusted-text.ts";
import type { Skill } from "./define-skill.ts";
import type { FileProblem } from "./parse-skill-file.ts";
import { readSkillFolders, type SkillFolders } from "./read-skill-folders.ts";
import type { TokenMeter } from "./token-meter.ts";

export type SkillSource = "role" | "project" | "user";
export type CollectedSkill = Skill & {
  readonly source: SkillSource;
  readonly file?: string;
  readonly tokens: number;
};
export type SkillPlaces = {
  /** Working tree of the project, where its skills count. */
  readonly tree?: string | undefined;
  /** The folder with the person's own. */
  readonly user: string;
};
export type FileSkills = {
  readonly skills: readonly CollectedSkill[];
  readonly problems: readonly ({ readonly file: string } & FileProblem)[];
};

const projectFolder = [".sylk", "skills"] as const;

/** What lies in files, the project's before the person's; `taken` are the names that files may not have. */
export async function readFileSkills(
  { tree, user }: SkillPlaces,
  taken: ReadonlySet<string>,
  measure: TokenMeter,
): Promise<FileSkills> {
  const project = tree === undefined ? nothing : await foldersOf(join(tree, ...projectFolder), tree);
  const own = await foldersOf(user);
  const problems = [project, own].flatMap((folders) =>
    folders.problems.flatMap(({ file, problems: said }) => said.map((problem) => ({ file, ...problem }))),
  );
  const kept = new Map<string, Skill & { readonly file: string; readonly source: SkillSource }>();
  const offer = (source: SkillSource) => (skill: SkillFolders["skills"][number]) => {
    const { name, file } = skill;
    const hiding = kept.get(name);
    if (taken.has(name))
      problems.push({ file, message: `name: "${name}" is a skill of Sylk's own; give it and its folder another name` });
    else if (hiding !== undefined)
      problems.push({ file, message: `name: ${hiding.file} has the same name and comes first` });
    else kept.set(name, { ...skill, source, prompt: untrusted(skill.prompt, `skill ${name} of the ${source}`) });
  };
  project.skills.forEach(offer("project"));
  own.skills.forEach(offer("user"));
  const found = [...kept.values()];
  const sizes = await measure(found.map(({ prompt }) => prompt));
  return { skills: found.map((skill, index) => ({ ...skill, tokens: sizes[index]! })), problems };
}

const nothing: SkillFolders = { skills: [], problems: [] };

/** With `within`, the folder must really lie there. */
export async function foldersOf(root: string, within?: string): Promise<SkillFolders> {
  try {
    const leadsOut = within !== undefined && !(await isInside(root, within));
    if (!leadsOut) return await readSkillFolders(root);
    return { skills: [], problems: [{ file: root, problems: [{ message: "a link leads out of the project" }] }] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return nothing;
    const message = `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { skills: [], problems: [{ file: root, problems: [{ message }] }] };
  }
}

async function isInside(folder: string, root: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realpath(folder), realpath(root)]);
  return inner === outer || inner.startsWith(outer + sep);
}
