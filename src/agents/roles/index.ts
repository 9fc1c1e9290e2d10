/** Door of all roles together: their table, what they do outside of runs, and whom a slash line is for. */
export { roleCallables } from "./role-callables.ts";
export { rolePorts } from "./role-ports.ts";
export { namesOfRoles, roles } from "./roles.ts";
export { createSlashDesk } from "./slash-desk.ts";
export { runSkills } from "./run-skills.ts";
