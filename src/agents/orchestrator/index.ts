export { orchestratorCallables, type OrchestratorPorts } from "./callables.ts";
export { createOrchestrator } from "./role.ts";
export { orchestratorRole } from "./skills.ts";
