export { createOrchestrator } from "./role.ts";
export { orchestratorRole } from "./skills.ts";
