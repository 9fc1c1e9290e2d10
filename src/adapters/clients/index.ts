export { knownClients } from "./known-clients.ts";
