/** The skills of one role as people look at them: what there is, what a text would load and why. */
import { DomainError, type OutputOf, type SkillRole } from "../../contract/index.ts";
import type { FileSkills, LoadedSkill, Skill } from "../../knowledge/skills/index.ts";
import { defined } from "../../platform/defined.ts";
import { nearestName } from "../../platform/nearest-name.ts";
import type { RoleDefinition } from "./define-role.ts";
import { createSkillDesk } from "./skill-desk.ts";

export type CatalogueTerms = {
  readonly role: RoleDefinition & { readonly name: SkillRole };
  readonly files: FileSkills;
};
type Item = OutputOf<"skill.list">["items"][number];

/** The same loader as in a conversation: what is shown is what would happen. */
export function listSkills(text: string | undefined, terms: CatalogueTerms): OutputOf<"skill.list"> {
  const { role, files } = terms;
  const desk = createSkillDesk({ role, session: nobodys, callable: [], files: files.skills });
  const tooLarge = new Set(text === undefined ? [] : desk.turn(text).tooLarge);
  const loaded = new Map(desk.loaded().map((one) => [one.skill.name, one]));
  const items = skillsOf(terms).map((skill) => ({
    ...itemOf(skill, terms),
    ...(text === undefined || !loaded.has(skill.name) ? {} : { loaded: whyOf(loaded.get(skill.name)!) }),
    ...(tooLarge.has(skill.name) ? { tooLarge: true } : {}),
  }));
  return { role: role.name, items, budget: desk.budget(), problems: [...files.problems] };
}

export function showSkill(name: string, terms: CatalogueTerms): OutputOf<"skill.show"> {
  const all = skillsOf(terms);
  const { tools } = terms.role;
  const named = tools[name] ?? name;
  const skill = all.find((one) => one.name === named || one.id === named);
  if (skill !== undefined)
    return { skill: itemOf(skill, terms), prompt: skill.prompt, inputSchema: { ...skill.inputSchema } };
  const near = nearestName(name, [...all.map((one) => one.name), ...Object.keys(tools)]);
  throw new DomainError(
    "skill.not-found",
    `the ${terms.role.name} has no skill "${name}"; ${near === undefined ? "" : `did you mean ${near}? `}"sylk skills list --role ${terms.role.name}" shows them all`,
    { details: { name, ...(near === undefined ? {} : { near: [near] }) } },
  );
}

/** Nothing is called here, so no session changes. */
const nobodys = "ses_none" as never;

export function skillsOf({ role, files }: CatalogueTerms): readonly Skill[] {
  return [...role.core, ...role.extended, ...files.skills];
}

function itemOf(skill: Skill, { role: { tools } }: CatalogueTerms): Item {
  const { name, id, description, domain, keywords, tier, tokens = skill.prompt.length } = skill;
  const { source = "role", file } = skill as { source?: Item["source"]; file?: string };
  const [tool] = Object.entries(tools).find(([called, of]) => of === name && called !== name) ?? [];
  return {
    name,
    ...defined({ id, tool }),
    ...(source === "role" ? { description } : { written: description }),
    domain,
    keywords: [...keywords],
    tier,
    source,
    ...defined({ file }),
    tokens,
  };
}

function whyOf({ why }: LoadedSkill): NonNullable<Item["loaded"]> {
  return why.by === "keywords" ? { ...why, matched: [...why.matched] } : why;
}
