export { createArchitect } from "./role.ts";
