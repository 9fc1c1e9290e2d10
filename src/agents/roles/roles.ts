/** The table of all roles, each with its definition. */
import { academicRole } from "../academic/index.ts";
import { architectRole } from "../architect/index.ts";
import { archivalistRole } from "../archivalist/index.ts";
import { engineerRole } from "../engineer/index.ts";
import type { RoleDefinition } from "../skills/index.ts";
import { guideRole } from "../guide/index.ts";
import { inspectorRole } from "../inspector/index.ts";
import { librarianRole } from "../librarian/index.ts";
import { orchestratorRole } from "../orchestrator/index.ts";
import { testerRole } from "../tester/index.ts";
import type { SkillRole } from "../../contract/index.ts";

export const roles = {
  guide: guideRole,
  architect: architectRole,
  orchestrator: orchestratorRole,
  engineer: engineerRole,
  inspector: inspectorRole,
  tester: testerRole,
  librarian: librarianRole,
  academic: academicRole,
  archivalist: archivalistRole,
} as const satisfies Record<SkillRole, RoleDefinition>;

/** A skill of a file may not have one of these names, whichever role reads it. */
export const namesOfRoles: ReadonlySet<string> = new Set(
  Object.values(roles).flatMap(({ core, extended }) => [...core, ...extended].map(({ name }) => name)),
);
