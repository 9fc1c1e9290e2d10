export { sessionVariables } from "./session-variables.ts";
