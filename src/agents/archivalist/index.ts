export { archivalistCallables, type ArchivalistPorts, searchHistory } from "./skill-handlers.ts";
export { createArchivalist } from "./role.ts";
export { archivalistRole } from "./skills.ts";
