/** Door of the model adapters: providers through the AI SDK, and the scripted server that stands in for one. */
export { checkModel, openModel, testConfigured } from "./open-model.ts";
export { answerPrompt } from "./answer-prompt.ts";
