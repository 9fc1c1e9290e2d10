export { createTester } from "./role.ts";
