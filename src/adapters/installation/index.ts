export { installTroubles } from "./examine-install.ts";
export { exchangeName, exchangeScript, launcherName, publishedLauncher } from "./launcher-script.ts";
export { hasGate } from "./git-hook.ts";
export { listCompanions } from "./list-companions.ts";
export { planInstall } from "./install-client.ts";
export { planUninstall } from "./uninstall-client.ts";
export { planUpgrade } from "./upgrade-clients.ts";
export { watchInstalls } from "./watch-installs.ts";
