/** What each agent has loaded, kept over its calls: one loader for a role in a session, in memory. */
import type { SessionId, SkillRole } from "../../contract/index.ts";
import { createSkillLoader, type Skill, type SkillLoader } from "../../knowledge/skills/index.ts";

export type AgentLoaders = (session: SessionId, role: SkillRole, skills: readonly Skill[]) => SkillLoader;

const mostAgents = 1_000;

/** An agent whose skills are others now, because a file changed, starts with its core skills again. */
export function createAgentLoaders(): AgentLoaders {
  const byAgent = new Map<string, { readonly skills: string; readonly loader: SkillLoader }>();
  return (session, role, skills) => {
    const key = `${session} ${role}`;
    const fingerprint = JSON.stringify(skills.map(({ name, tier, tokens }) => [name, tier, tokens]));
    const known = byAgent.get(key);
    const kept = known?.skills === fingerprint ? known : { skills: fingerprint, loader: loaderOf(skills) };
    byAgent.delete(key);
    byAgent.set(key, kept);
    if (byAgent.size > mostAgents) byAgent.delete(byAgent.keys().next().value!);
    return kept.loader;
  };
}

/** A skill without a measured size counts with its characters: it never has more tokens than that. */
export function loaderOf(skills: readonly Skill[], maxTokens?: number): SkillLoader {
  return createSkillLoader({
    skills,
    countTokens: ({ length }) => length,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
}
