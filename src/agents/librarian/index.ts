export { createLibrarian } from "./role.ts";
export { librarianRole } from "./skills.ts";
export { librarianCommands } from "./commands.ts";
