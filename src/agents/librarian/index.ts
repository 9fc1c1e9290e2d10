export { addQueryHooks } from "./query-hooks.ts";
export { createLibrarian } from "./role.ts";
export { librarianRole } from "./skills.ts";
export { librarianCodeCommands, librarianCommands, librarianFileCommands, toolCommands } from "./commands.ts";
