export { Integration } from "./integration.ts";
export { createPluginDeclarations } from "./plugin-declarations.ts";
