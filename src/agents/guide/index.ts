export { guideRole, guideTools } from "./skills.ts";
