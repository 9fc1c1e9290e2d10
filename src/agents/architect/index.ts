export { createArchitect } from "./role.ts";
export { architectRole } from "./skills.ts";
export { architectCommands } from "./commands.ts";
