export { createInspector } from "./role.ts";
export { inspectorRole } from "./skills.ts";
export { inspectorCommands } from "./commands.ts";
