export { type InstallTerms, installTroubles, type Plan, planInstall, planUninstall } from "./install-client.ts";
