/**
 * A role: what a built-in agent is, said once. From it come its skills, what it registers with the Guide, and its life.
 *
 *   defineRole({ name, routing, core, extended }) -> skills (its own and those of every agent), routing info
 */
import type { MessageType, RoleName } from "../../contract/index.ts";
import type { Skill } from "../../knowledge/skills/index.ts";
import { askedBy } from "./message-ways.ts";
import { sharedSkills } from "./shared-skills.ts";

export type RoutingInfo = {
  readonly name: RoleName;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly priority: number;
  readonly capabilities: {
    readonly intents: readonly string[];
    readonly domains: readonly string[];
    readonly keywords: readonly string[];
  };
  /** Message types it is asked by. */
  readonly answers: readonly MessageType[];
};

type Terms = {
  readonly name: RoleName;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly priority?: number;
  readonly intents: readonly string[];
  readonly domains?: readonly string[];
  /** Always loaded; those of every agent come to them. */
  readonly core: readonly Skill[];
  /** Loaded by keyword or by name. */
  readonly extended?: readonly Skill[];
};

export type RoleDefinition = {
  readonly name: RoleName;
  readonly routing: RoutingInfo;
  readonly core: readonly Skill[];
  readonly extended: readonly Skill[];
};

export function defineRole(terms: Terms): RoleDefinition {
  const { name, description, aliases = [], priority = 50, intents, domains = [], extended = [] } = terms;
  const core = [...terms.core, ...sharedSkills];
  const problems = [
    ...core.filter(({ tier }) => tier !== "core").map((skill) => `${skill.name} is no core skill`),
    ...extended.filter(({ tier }) => tier === "core").map((skill) => `${skill.name} is a core skill`),
    ...twice([...core, ...extended].map((skill) => skill.name)).map((one) => `${one} is there twice`),
  ];
  if (problems.length > 0) throw new TypeError(`role ${name}: ${problems.join("; ")}`);
  const keywords = [...new Set([...terms.core, ...extended].flatMap((skill) => skill.keywords))];
  return {
    name,
    core,
    extended,
    routing: {
      name,
      aliases,
      description,
      priority,
      capabilities: { intents, domains, keywords },
      answers: askedBy(name),
    },
  };
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
