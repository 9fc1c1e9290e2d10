export { installTroubles } from "./examine-install.ts";
export { planInstall, planUninstall } from "./install-client.ts";
