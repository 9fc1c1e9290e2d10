/** Door of questions about the code, for the roles that ask them. */
export { lookCallables, lookSkills, lookTools } from "./code-skills.ts";
export { librarianCallables, type LibrarianPorts, librarianSkills } from "./librarian-skills.ts";
export { contextFor, searchPlaces } from "./look-up.ts";
export { toolingOf, type ToolLook } from "./tool-skills.ts";
