export { createLibrarian } from "./role.ts";
