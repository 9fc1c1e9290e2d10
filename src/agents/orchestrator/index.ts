export { orchestratorCallables, type OrchestratorPorts } from "./skill-handlers.ts";
export { createOrchestrator } from "./role.ts";
export { orchestratorRole } from "./skills.ts";
