export { inspectorCallables, type InspectorPorts } from "./skill-handlers.ts";
export { createInspector } from "./role.ts";
export { inspectorRole } from "./skills.ts";
export { inspectorCheckCommands, inspectorCommands } from "./commands.ts";
