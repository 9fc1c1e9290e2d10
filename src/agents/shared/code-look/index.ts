/** Door of questions about the code, for the roles that ask them. */
export {
  deepCallables,
  deepSkills,
  findSymbol,
  findUsages,
  lookCallables,
  lookSkills,
  lookTools,
  searchCode,
} from "./code-skills.ts";
export { contextFor, searchPlaces } from "./look-up.ts";
