export { testerCallables, type TesterPorts } from "./skill-handlers.ts";
export { testerCommands } from "./commands.ts";
export { createTester } from "./role.ts";
export { testerRole } from "./skills.ts";
