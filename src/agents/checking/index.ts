export { createChecker } from "./create-checker.ts";
