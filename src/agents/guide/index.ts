export { guideCallables, type GuidePorts } from "./guide-skills.ts";
export { guideRole } from "./skills.ts";
