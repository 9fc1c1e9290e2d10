/**
 * One skill of a role, called by its name: it does what the operation of the same meaning does, for the same caller.
 *
 *   name -> known? -> session of the caller, or one that it may see -> desk: may it, loaded, input checked -> result
 */
import type { AgentId, InputOf, OutputOf, ProjectId, SessionId, SkillRole } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { AgentLoaders } from "./agent-loaders.ts";
import type { CallableSkill } from "./callable-skill.ts";
import { readCatalogue, type SkillSource } from "./read-catalogue.ts";
import { showSkill, skillsOf } from "./skill-catalogue.ts";
import { createSkillDesk } from "./skill-desk.ts";

/** Where a skill acts: in which session, on which tree, for which project. */
export type SkillPlace = {
  /** The caller's own session; another one may only be read. */
  readonly own: SessionId;
  readonly session: SessionId;
  readonly tree: string;
  readonly project: ProjectId | undefined;
  /** The agent that asks; undefined for a person. */
  readonly agent?: AgentId | undefined;
};
export type CallSkillPorts<Tx> = SkillSource & {
  readonly store: Pick<Store<Tx>, "transact">;
  readonly callablesOf: (role: SkillRole, at: SkillPlace, call: AgentCall<Tx>) => readonly CallableSkill[];
  /** The session that the caller acts in when it names none. */
  readonly sessionOf: (call: AgentCall<Tx>) => Promise<SessionId>;
  readonly loaders: AgentLoaders;
  /** Refuses a session that the caller may not see. */
  readonly checkSession: (session: SessionId, call: AgentCall<Tx>) => Promise<unknown>;
};

export async function callSkill<Tx>(
  { name, role, input, session: wanted }: InputOf<"skill.call">,
  given: AgentCall<Tx>,
  ports: CallSkillPorts<Tx>,
): Promise<OutputOf<"skill.call">> {
  // A repeated call gets the whole answer again, not that of the operation below: that one keeps nothing.
  const call = { ...given, transact: ports.store.transact };
  const catalogue = await readCatalogue(role, undefined, call.caller, ports);
  const { name: skill } = showSkill(name, catalogue).skill;
  if (wanted !== undefined) await ports.checkSession(wanted, call);
  const own = await ports.sessionOf(call);
  const session = wanted ?? own;
  const { tree, project, agent } = call.caller;
  const at = { own, session, tree, project: project.id, agent: agent.id };
  const loader = ports.loaders(own, role, skillsOf(catalogue));
  // Each call is a turn without words: what earlier calls loaded and none used lately is unloaded.
  loader.turn("");
  const desk = createSkillDesk({
    role: ports.roles[role],
    session: own,
    callable: ports.callablesOf(role, at, call),
    files: catalogue.files.skills,
    loader,
  });
  const { signal = new AbortController().signal } = call;
  return { skill, result: await desk.call(skill, input, { session, signal }) };
}
