export { createGuideSkills, type GuidePorts } from "./guide-skills.ts";
export { guideRole, guideTools } from "./skills.ts";
