export { callSessionFields } from "./call-session-fields.ts";
export { sessionVariables } from "./session-variables.ts";
