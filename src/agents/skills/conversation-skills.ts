/**
 * The skills of one conversation with a model.
 *
 *   what it is about -> loaded by keyword -> into the system prompt and the tools; recorded with the reason
 *   load_skill       -> loaded by name    -> the tool's answer; recorded too
 */
import type { LoadedFact, SessionId } from "../../contract/index.ts";
import type { FileSkills, LoadedSkill, SkillLoader } from "../../knowledge/skills/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import type { CallableSkill } from "./callable-skill.ts";
import type { RoleDefinition } from "./define-role.ts";
import { loadedFact } from "./loaded-skills.ts";
import { createSkillDesk } from "./skill-desk.ts";

export type ConversationSkills = {
  /** To be put behind the role's own words. */
  readonly section: string;
  readonly tools: readonly ModelTool[];
};
export type SkillsRecord = {
  readonly loaded: readonly LoadedFact[];
  readonly tooLarge: readonly string[];
  readonly budget: ReturnType<SkillLoader["budget"]>;
  readonly problems: readonly string[];
};
type Terms = {
  readonly role: RoleDefinition;
  readonly session: SessionId;
  readonly files: FileSkills;
  /** What its model may call beside the tools the role makes itself. */
  readonly callable: readonly CallableSkill[];
  /** What the conversation is about. */
  readonly text: string;
  readonly record: (skills: SkillsRecord) => Promise<void>;
};

/** Called by the bus, not by a model: what it handles is on its way to the model anyway. */
const notForModels: ReadonlySet<string> = new Set(["route_from", "reply_to"]);
const mostProblemsTold = 20;

export async function openConversationSkills(terms: Terms): Promise<ConversationSkills> {
  const { role, session, files, callable, text, record } = terms;
  const desk = createSkillDesk({ role, session, callable, files: files.skills });
  const { tooLarge } = desk.turn(text);
  const loaded = desk.loaded().filter(({ why }) => why.by !== "core");
  const facts = loaded.map(loadedFact);
  const problems = files.problems.slice(0, mostProblemsTold).map(({ file, message }) => `${file}: ${message}`);
  if (loaded.length + tooLarge.length + problems.length > 0)
    await record({ loaded: facts, tooLarge, budget: desk.budget(), problems });
  const names = new Set([...role.core, ...loaded.map(({ skill }) => skill)].map(({ name }) => name));
  const callables = callable
    .map(({ skill }) => skill.name)
    .filter((name) => names.has(name) && !notForModels.has(name));
  const onLoad = (asked: LoadedSkill) =>
    record({ loaded: [loadedFact(asked)], tooLarge: [], budget: desk.budget(), problems: [] });
  return { section: desk.section(), tools: desk.tools(callables, onLoad) };
}
