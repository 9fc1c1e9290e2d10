export { testerCallables, type TesterPorts } from "./callables.ts";
export { testerCommands } from "./commands.ts";
export { createTester } from "./role.ts";
export { testerRole } from "./skills.ts";
