/** Door of the model adapters: providers through the AI SDK, and the scripted server that stands in for one. */
export { createModel, type ModelOptions } from "./create-model.ts";
export { checkModel, openModel, testConfigured } from "./open-model.ts";
export type { RetryNotice, RetryPolicy } from "./retry.ts";
export { type ProviderTest, testProvider } from "./test-provider.ts";
export { InvalidScenario, type ScenarioProblem } from "./rehearsal/invalid-scenario.ts";
export { parseScenario, readScenario, Scenario } from "./rehearsal/scenario.ts";
export { type ScriptedServer, startScriptedServer } from "./rehearsal/scripted-server.ts";
