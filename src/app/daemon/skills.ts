/** Connects skills: the roles, the user's folders, and the runtime ports that a call needs. */
import { join } from "node:path";
import { namesOfRoles, roles } from "../../agents/roles/index.ts";
import { type CallSkillPorts, createAgentLoaders, skillHandlers } from "../../agents/skills/index.ts";
import { createTokenMeter } from "../../knowledge/skills/index.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";

type RuntimePorts = Pick<CallSkillPorts<Repositories>, "callablesOf" | "sessionOf" | "checkSession">;

export function composeSkills({ store }: DaemonParts, { paths }: DaemonTerms, runtime: RuntimePorts) {
  return skillHandlers({
    ...runtime,
    store,
    roles,
    loaders: createAgentLoaders(),
    user: join(paths.home, "skills"),
    collect: { taken: namesOfRoles, measure: createTokenMeter() },
  });
}
