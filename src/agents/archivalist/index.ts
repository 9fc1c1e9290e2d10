export { archivalistCallables, type ArchivalistPorts, searchHistory } from "./callables.ts";
export { createArchivalist } from "./role.ts";
export { archivalistRole } from "./skills.ts";
