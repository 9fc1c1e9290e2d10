export { createOrchestrator } from "./role.ts";
