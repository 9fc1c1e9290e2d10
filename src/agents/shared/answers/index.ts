/** Door of answering: what roles do for a question, outside of any run. */
export { answerFromHistory } from "./answer-from-history.ts";
export { asUnavailable } from "./answer-by-model.ts";
export { openRouter, seatSharedRoles } from "./seat-roles.ts";
