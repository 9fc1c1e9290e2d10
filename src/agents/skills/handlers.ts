/** Handlers of skills: what `contract/skill.ts` names. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { callSkill, type CallSkillPorts } from "./call-skill.ts";
import { listLoaded, loadSkillOf, unloadSkillOf } from "./loaded-skills.ts";
import { checkSkills, readCatalogue } from "./read-catalogue.ts";
import { listSkills, showSkill } from "./skill-catalogue.ts";

export function skillHandlers<Tx>(ports: CallSkillPorts<Tx>): OperationHandlers<Tx, OperationsOn<"skill">> {
  return {
    "skill.list": async ({ role, folder, for: text }, { caller }) =>
      listSkills(text, await readCatalogue(role, folder, caller, ports)),
    "skill.show": async ({ name, role, folder }, { caller }) =>
      showSkill(name, await readCatalogue(role, folder, caller, ports)),
    "skill.check": (input, { caller }) => checkSkills(input, caller, ports),
    "skill.call": (input, call) => callSkill(input, call, ports),
    "skill.loaded": (input, call) => listLoaded(input, call, ports),
    "skill.load": (input, call) => loadSkillOf(input, call, ports),
    "skill.unload": (input, call) => unloadSkillOf(input, call, ports),
  };
}
