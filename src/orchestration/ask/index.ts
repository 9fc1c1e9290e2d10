/** Door of questions: `sylk ask` from its place and session to the answer of a role. */
export { guideMetrics } from "./ask-question.ts";
export { askHandlers, routerFor } from "./handlers.ts";
export { createRecordedClassifier } from "./recorded-classifier.ts";
export { placeIn, placeOfMessage, type Place } from "./question-place.ts";
export { toolQuestions } from "./tool-questions.ts";
export { questionSessions } from "./question-session.ts";
export { isStanding } from "./standing-session.ts";
