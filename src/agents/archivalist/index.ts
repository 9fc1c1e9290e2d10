export { archivalistCallables, type ArchivalistPorts } from "./callables.ts";
export { createArchivalist } from "./role.ts";
export { archivalistRole } from "./skills.ts";
