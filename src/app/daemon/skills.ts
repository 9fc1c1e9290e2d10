/** Skills, connected: the roles, the folders of the user, and what a call needs of the runtime. */
import { join } from "node:path";
import { namesOfRoles, roles } from "../../agents/roles/index.ts";
import { type CallSkillPorts, createAgentLoaders, skillHandlers } from "../../agents/skills/index.ts";
import { createTokenMeter } from "../../knowledge/skills/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";

type RuntimePorts = Pick<CallSkillPorts<Repositories>, "callablesOf" | "sessionOf" | "checkSession">;

export function composeSkills({ store }: Parts, { paths }: Terms, runtime: RuntimePorts) {
  return skillHandlers({
    ...runtime,
    store,
    roles,
    loaders: createAgentLoaders(),
    user: join(paths.home, "skills"),
    collect: { taken: namesOfRoles, measure: createTokenMeter() },
  });
}
