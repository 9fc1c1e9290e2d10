export { createTester } from "./role.ts";
export { testerRole } from "./skills.ts";
