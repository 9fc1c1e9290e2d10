export { clientUsages } from "./client-usages.ts";
