/** The skills of a role as they are now: its own, and those of the project's and the user's folders. */
import type { Caller, InputOf, OutputOf, SkillRole } from "../../contract/index.ts";
import { type CollectTerms, readFileSkills, readSkillsAt } from "../../knowledge/skills/index.ts";
import type { RoleDefinition } from "./define-role.ts";
import type { CatalogueTerms } from "./skill-catalogue.ts";
import { skillPath, skillTree } from "./skill-places.ts";

export type SkillSource = {
  readonly roles: Readonly<Record<SkillRole, RoleDefinition>>;
  /** The user's folder of skills. */
  readonly user: string;
  readonly collect: CollectTerms;
};

/** Only these ask a model in conversations of their own: instructions of files would reach no other role. */
const readFiles: ReadonlySet<SkillRole> = new Set(["architect", "engineer"]);

export async function readCatalogue(
  role: SkillRole,
  folder: string | undefined,
  caller: Caller,
  { roles, user, collect }: SkillSource,
): Promise<CatalogueTerms> {
  const tree = await skillTree(folder, caller);
  const files = readFiles.has(role) ? await readFileSkills({ tree, user }, collect) : { skills: [], problems: [] };
  return { role: { ...roles[role], name: role }, files };
}

export async function checkSkills(
  { path, folder }: InputOf<"skill.check">,
  caller: Caller,
  { user, collect }: SkillSource,
): Promise<OutputOf<"skill.check">> {
  const tree = await skillTree(folder, caller);
  const { skills, problems } = await (path === undefined
    ? readFileSkills({ tree, user }, collect)
    : readSkillsAt(await skillPath(path, tree, caller), collect));
  return {
    checked: skills.map(({ name, file, tier, tokens }) => ({ name, file, tier, tokens })),
    problems: [...problems],
  };
}
