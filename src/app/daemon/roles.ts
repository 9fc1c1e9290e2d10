/** The names of all roles' skills, for the worker. */
export { namesOfRoles } from "../../agents/roles/index.ts";
