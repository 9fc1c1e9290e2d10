/** Programs we know by name. One that neither this table nor that of harmless programs has is unknown. */
import type { Program } from "../program.ts";
import { filePrograms } from "./files.ts";
import { find } from "./find.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { inPlacePrograms } from "./in-place.ts";
import { applyPatch, patch } from "./patches.ts";
import { toolPrograms } from "./tools.ts";
import { wrapperPrograms } from "./wrappers.ts";

export { isHarmless } from "./harmless.ts";
export { writeOutputs } from "./tools.ts";

const programs = new Map<string, Program>(
  Object.entries({
    ...toolPrograms,
    ...filePrograms,
    ...inPlacePrograms,
    ...wrapperPrograms,
    ...interpreters,
    find,
    gfind: find,
    git,
    patch,
    gpatch: patch,
    apply_patch: applyPatch,
    applypatch: applyPatch,
  }),
);

export function programOf(name: string): Program | undefined {
  return programs.get(name);
}
