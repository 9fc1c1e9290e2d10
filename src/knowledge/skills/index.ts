/** Door of the skills: defining them, reading them from folders, and loading what a conversation needs. */
export {
  type CollectTerms,
  type FileSkill,
  type FileSkills,
  isInside,
  readFileSkills,
  readSkillsAt,
} from "./collect-skills.ts";
export {
  anything,
  bool,
  choice,
  type DefinedSkill,
  defineSkill,
  int,
  list,
  optional,
  type Skill,
  text,
} from "./define-skill.ts";
export { createSkillLoader, type LoadedSkill, type SkillLoader, type WhyLoaded } from "./skill-loader.ts";
export { skillSection } from "./skill-section.ts";
export { createTokenMeter, type TokenMeter } from "./token-meter.ts";
