export { type ClientUsage, usageSources, userHome } from "./client-usage.ts";
export { asCount, asLoose, asText, asTime, type Loose, parseLoose } from "./loose-json.ts";
