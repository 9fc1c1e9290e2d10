/** Door of answering: what roles do for a question, outside of any run. */
export { answerByModel } from "./answer-by-model.ts";
export { answerFromCode, searchCode } from "./answer-from-code.ts";
export { answerFromHistory } from "./answer-from-history.ts";
