/** Door of the toolchains: which tools a project uses, how they are called and installed. */
export { createToolDiscovery, type DiscoveryPorts, type ToolDiscovery } from "./discover-tools.ts";
export { existingFolder, folderInside, toolHandlers, type ToolPorts } from "./handlers.ts";
export { findChecks, type ToolCheck } from "./find-checks.ts";
export { createInstallRequests, type InstallRequests } from "./install-requests.ts";
export { createToolInstaller, type InstallPorts } from "./install-tool.ts";
export { languageServerCommand, registryOfHome } from "./registry.ts";
export { type FoundTool, scanTools, scanWithResearch } from "./scan-tools.ts";
export { choicesIn, noChoices } from "./tool-choices.ts";
