export { createArchitect, PlanRefused } from "./role.ts";
