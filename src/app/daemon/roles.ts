/** The roles there are, each by its definition. */
import { architectRole } from "../../agents/architect/index.ts";
import { archivalistRole } from "../../agents/archivalist/index.ts";
import { engineerRole } from "../../agents/engineer/index.ts";
import type { RoleDefinition } from "../../agents/skills/index.ts";
import { guideRole } from "../../agents/guide/index.ts";
import { inspectorRole } from "../../agents/inspector/index.ts";
import { librarianRole } from "../../agents/librarian/index.ts";
import { orchestratorRole } from "../../agents/orchestrator/index.ts";
import { testerRole } from "../../agents/tester/index.ts";
import type { SkillRole } from "../../contract/index.ts";

export const roles = {
  guide: guideRole,
  architect: architectRole,
  orchestrator: orchestratorRole,
  engineer: engineerRole,
  inspector: inspectorRole,
  tester: testerRole,
  librarian: librarianRole,
  archivalist: archivalistRole,
} as const satisfies Record<SkillRole, RoleDefinition>;

/** Names that no file may take, for any role. */
export const namesOfRoles: ReadonlySet<string> = new Set(
  Object.values(roles).flatMap(({ core, extended }) => [...core, ...extended].map(({ name }) => name)),
);
