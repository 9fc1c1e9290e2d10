/** Door of questions about the code, for the roles that ask them. */
export { lookCallables, lookSkills } from "./code-skills.ts";
export {
  callLibrarian,
  librarianCallables,
  type LibrarianPorts,
  librarianSkills,
  librarianTools,
} from "./librarian-skills.ts";
export { contextFor, searchPlaces } from "./look-up.ts";
export { toolingOf, type ToolLook } from "./tool-skills.ts";
