export { inspectorCallables, type InspectorPorts } from "./callables.ts";
export { createInspector } from "./role.ts";
export { inspectorRole } from "./skills.ts";
export { inspectorCheckCommands, inspectorCommands } from "./commands.ts";
