/** What an agent has loaded: shown, and changed by the name of one skill. */
import type { InputOf, LoadedFact, OutputOf, SessionId, SkillRole } from "../../contract/index.ts";
import type { LoadedSkill, SkillLoader } from "../../knowledge/skills/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { CallSkillPorts } from "./call-skill.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { type CatalogueTerms, showSkill, skillsOf } from "./skill-catalogue.ts";

type OwnAgent = { readonly session: SessionId; readonly loader: SkillLoader; readonly catalogue: CatalogueTerms };

export async function listLoaded<Tx>(
  { role }: InputOf<"skill.loaded">,
  call: AgentCall<Tx>,
  ports: CallSkillPorts<Tx>,
): Promise<OutputOf<"skill.loaded">> {
  const { session, loader } = await agentOf(role, call, ports);
  const { core, extended } = ports.roles[role];
  return {
    role,
    session,
    core: core.map(({ name }) => name),
    extended: extended.map(({ name }) => name),
    loaded: loader.loaded().map(loadedFact),
    budget: loader.budget(),
  };
}

export async function loadSkillOf<Tx>(
  { name, role }: InputOf<"skill.load">,
  call: AgentCall<Tx>,
  ports: CallSkillPorts<Tx>,
): Promise<OutputOf<"skill.load">> {
  const { loader, catalogue } = await agentOf(role, call, ports);
  const loaded = loader.request(showSkill(name, catalogue).skill.name);
  return { loaded: loadedFact(loaded), budget: loader.budget() };
}

export async function unloadSkillOf<Tx>(
  { name, role }: InputOf<"skill.unload">,
  call: AgentCall<Tx>,
  ports: CallSkillPorts<Tx>,
): Promise<OutputOf<"skill.unload">> {
  const { loader, catalogue } = await agentOf(role, call, ports);
  const { name: unloaded } = showSkill(name, catalogue).skill;
  loader.unload(unloaded);
  return { unloaded, budget: loader.budget() };
}

export function loadedFact({ skill, tokens, why }: LoadedSkill): LoadedFact {
  const { name, tier } = skill;
  const { source = "role" } = skill as { source?: LoadedFact["source"] };
  return { name, tier, source, tokens, why: why.by === "keywords" ? { ...why, matched: [...why.matched] } : why };
}

async function agentOf<Tx>(role: SkillRole, call: AgentCall<Tx>, ports: CallSkillPorts<Tx>): Promise<OwnAgent> {
  const catalogue = await readCatalogue(role, undefined, call.caller, ports);
  const session = await ports.sessionOf(call);
  return { session, catalogue, loader: ports.loaders(session, role, skillsOf(catalogue)) };
}
