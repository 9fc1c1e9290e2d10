export { archivalistCallables, type ArchivalistPorts, searchHistory } from "./skill-handlers.ts";
export { archivalistSeat } from "./role.ts";
export { archivalistRole } from "./skills.ts";
