export { clientUsages, knownClients } from "./known-clients.ts";
