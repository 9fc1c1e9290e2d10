export { librarianCallables, type LibrarianPorts } from "./skill-handlers.ts";
export { createLibrarian } from "./role.ts";
export { librarianRole } from "./skills.ts";
export { toolCommands, type ToolLook } from "./tool-skills.ts";
export { librarianCommands, librarianFileCommands } from "./commands.ts";
