export { createGuideSkills, type GuidePorts, type GuideSkills } from "./guide-skills.ts";
export { guideRole, guideTools } from "./skills.ts";
