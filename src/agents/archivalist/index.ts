export { createArchivalist } from "./role.ts";
