/** Door of the skills: defining them, reading them from folders, and loading what a conversation needs. */
export {
  bool,
  choice,
  type DefinedSkill,
  defineSkill,
  int,
  list,
  optional,
  record,
  type Skill,
  text,
} from "./define-skill.ts";
export { readSkillFolders, type SkillFolders } from "./read-skill-folders.ts";
export { createSkillLoader, type LoadedSkill, type SkillLoader } from "./skill-loader.ts";
