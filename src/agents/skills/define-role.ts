/**
 * A role: what a built-in agent is, said once. From it come its skills, what it registers with the Guide, and its life.
 *
 *   defineRole({ card, core, extended }) -> skills (its own and those of every agent), the messages it is asked by
 */
import { maySend, messageTypes, type MessageType, RoleName } from "../../contract/index.ts";
import type { DefinedSkill } from "../../knowledge/skills/index.ts";
import type { AgentCard } from "../../orchestration/guide/index.ts";
import { sharedSkills } from "./shared-skills.ts";

type Terms = {
  readonly card: AgentCard;
  /** Always loaded; those of every agent come to them. */
  readonly core: readonly DefinedSkill<unknown>[];
  /** Loaded by keyword or by name. */
  readonly extended: readonly DefinedSkill<unknown>[];
  /** Tools by their names, each with the skill it calls, where they are called differently. */
  readonly tools?: Readonly<Record<string, string>>;
};

export type RoleDefinition = Required<Terms> & {
  readonly name: RoleName;
  /** Message types it is asked by. */
  readonly answers: readonly MessageType[];
};

export function defineRole({ card, core: own, extended, tools = {} }: Terms): RoleDefinition {
  const { name } = card;
  const core = [...own, ...sharedSkills];
  const problems = [
    ...core.filter(({ tier }) => tier !== "core").map((skill) => `${skill.name} is not a core skill`),
    ...extended.filter(({ tier }) => tier === "core").map((skill) => `${skill.name} is a core skill`),
    ...twice([...core, ...extended].map((skill) => skill.name)).map((one) => `${one} is there twice`),
  ];
  if (problems.length > 0) throw new TypeError(`role ${name}: ${problems.join("; ")}`);
  return { name, card, core, extended, tools, answers: askedBy(name) };
}

function askedBy(name: RoleName): readonly MessageType[] {
  const types = Object.keys(messageTypes) as MessageType[];
  return types.filter((type) => RoleName.options.some((from) => maySend(type, from, name)));
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
