export { patchTargets } from "./patch-targets.ts";
