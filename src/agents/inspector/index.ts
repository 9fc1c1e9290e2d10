export { createInspector } from "./role.ts";
