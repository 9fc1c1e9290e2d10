export { orchestratorCallables, type OrchestratorPorts } from "./skill-handlers.ts";
export { carryOutCheck, type CarryOutPorts, carryOutPlan, carryOutWork, type EngineerSeat } from "./carry-out.ts";
export { answerBlocked } from "./help.ts";
export { createOrchestrator } from "./role.ts";
export { orchestratorRole } from "./skills.ts";
