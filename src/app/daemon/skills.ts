/** The composition root's part for skills: which roles there are, whose folders count, and the handlers. */
import { isAbsolute, join, resolve, sep } from "node:path";
import { type CatalogueTerms, listSkills, showSkill } from "../../agents/skills/index.ts";
import { type Caller, DomainError, invalidInput, type OperationName, type SkillRole } from "../../contract/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import type { Repositories, Terms } from "./parts.ts";
import { namesOfRoles, roles } from "./roles.ts";
import {
  type CollectTerms,
  createTokenMeter,
  isInside,
  readFileSkills,
  readSkillsAt,
} from "../../knowledge/skills/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

export type SkillOperation = Exclude<Extract<OperationName, `skill.${string}`>, "skill.call">;

/** The others ask no model, so no instructions would reach anybody. */
const readFiles: ReadonlySet<SkillRole> = new Set(["architect", "engineer"]);

/** A role's skills as they are now, with those of the folder's project and of the user. */
export type SkillCatalogue = (role: SkillRole, folder: string | undefined, caller: Caller) => Promise<CatalogueTerms>;

export function composeSkills({ paths }: Terms): {
  readonly catalogue: SkillCatalogue;
  readonly handlers: OperationHandlers<Repositories, SkillOperation>;
} {
  const user = join(paths.home, "skills");
  const terms: CollectTerms = { taken: namesOfRoles, measure: createTokenMeter() };
  const catalogue: SkillCatalogue = async (role, folder, caller) => {
    const tree = await treeFor(folder, caller);
    const files = readFiles.has(role) ? await readFileSkills({ tree, user }, terms) : { skills: [], problems: [] };
    return { role: { ...roles[role], name: role }, files };
  };
  return { catalogue, handlers: handlersOf(catalogue, user, terms) };
}

function handlersOf(
  catalogue: SkillCatalogue,
  user: string,
  terms: CollectTerms,
): OperationHandlers<Repositories, SkillOperation> {
  return {
    "skill.list": async ({ role, folder, for: text }, { caller }) =>
      listSkills(text, await catalogue(role, folder, caller)),
    "skill.show": async ({ name, role, folder }, { caller }) => showSkill(name, await catalogue(role, folder, caller)),
    "skill.check": async ({ path, folder }, { caller }) => {
      const tree = await treeFor(folder, caller);
      const { skills, problems } = await (path === undefined
        ? readFileSkills({ tree, user }, terms)
        : readSkillsAt(await allowedPath(path, tree, caller), terms));
      return {
        checked: skills.map(({ name, file, tier, tokens }) => ({ name, file, tier, tokens })),
        problems: [...problems],
      };
    },
  };
}

/** An agent looks into its own tree only; a user's call without a folder sees what counts everywhere. */
async function treeFor(folder: string | undefined, caller: Caller): Promise<string | undefined> {
  if (caller.kind === "agent") {
    if (folder !== undefined) await refuseOutside(folder, caller.tree);
    return caller.tree;
  }
  return folder === undefined ? undefined : (await locateProject(folder)).tree;
}

async function allowedPath(path: string, tree: string | undefined, caller: Caller): Promise<string> {
  if (!isAbsolute(path) && tree === undefined)
    throw invalidInput("path", "must be absolute", {
      sentence: `path: "${path}" is relative to nothing; send an absolute one, or a folder`,
    });
  const whole = resolve(tree ?? "/", path);
  if (caller.kind === "agent") await refuseOutside(whole, caller.tree);
  return whole;
}

async function refuseOutside(path: string, tree: string): Promise<void> {
  // What does not exist lies nowhere; it is told as missing by whoever reads it.
  if (await isInside(path, tree).catch(() => path.startsWith(tree + sep))) return;
  throw new DomainError("caller.denied", `${path} lies outside of the agent's tree ${tree}`, {
    details: { needed: "a path inside its own tree" },
  });
}
