/** Programs we know by name. One that neither this table nor that of harmless programs has is unknown. */
import type { Program } from "../program.ts";
import { archivers } from "./archives.ts";
import { awk } from "./awk.ts";
import { byOptionPrograms } from "./by-option.ts";
import { sqlClient, sqlite } from "./databases.ts";
import { editors } from "./editors.ts";
import { filePrograms } from "./files.ts";
import { find } from "./find.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { applyPatch, patch } from "./patches.ts";
import { sed } from "./sed.ts";
import { toolPrograms } from "./tools.ts";
import { wrapperPrograms } from "./wrappers.ts";

export { writeOutputs } from "./by-option.ts";
export { harmOf, isHarmless } from "./harmless.ts";

const programs = new Map<string, Program>(
  Object.entries({
    ...toolPrograms,
    ...byOptionPrograms,
    ...filePrograms,
    ...archivers,
    ...editors,
    ...wrapperPrograms,
    ...interpreters,
    awk,
    gawk: awk,
    mawk: awk,
    nawk: awk,
    find,
    gfind: find,
    git,
    sed,
    gsed: sed,
    sqlite3: sqlite,
    sqlite,
    ...Object.fromEntries(["psql", "mysql", "mariadb", "duckdb"].map((name) => [name, sqlClient])),
    patch,
    gpatch: patch,
    apply_patch: applyPatch,
    applypatch: applyPatch,
  }),
);

export function programOf(name: string): Program | undefined {
  return programs.get(name);
}
