export { patchTargets, type PatchTarget } from "./patch-targets.ts";
