export { createArchivalist } from "./role.ts";
export { archivalistRole } from "./skills.ts";
