export { createPluginDeclarations } from "./plugin-declarations.ts";
