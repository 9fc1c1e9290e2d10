export { writeTargets } from "./write-targets.ts";
