export { type GuideOperations, guidePorts, type GuideSkillPorts, sendAs } from "./guide-ports.ts";
export { guideCallables, type GuidePorts } from "./guide-skills.ts";
export { guideRole } from "./skills.ts";
