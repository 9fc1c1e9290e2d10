/**
 * The skills of one agent in one session: what it has, what is loaded, and the one way to call them.
 *
 *   call(name, input) -> known? -> may it, in that session? -> loaded (or room made for it) -> input checked -> run
 *
 * A name that belongs to files is loaded by a call, and its instructions are the answer: there is nothing else to run.
 */
import { type DomainError, invalidInput, type SessionId } from "../../contract/index.ts";
import { type LoadedSkill, type Skill, type SkillLoader, skillSection } from "../../knowledge/skills/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { loaderOf } from "./agent-loaders.ts";
import { type CallableSkill, refuseForeignChange, skillTool } from "./callable-skill.ts";
import type { RoleDefinition } from "./define-role.ts";
import { loadSkill } from "./shared-skills.ts";

export type SkillDesk = Pick<SkillLoader, "turn" | "unload" | "loaded" | "budget"> & {
  readonly core: readonly Skill[];
  readonly extended: readonly Skill[];
  load(name: string): LoadedSkill;
  /** By name or id; in the agent's own session unless another is named, which may only be read. */
  call(name: string, input: unknown, terms: CallTerms): Promise<unknown>;
  /** For the system prompt. */
  section(): string;
  /** What a model can call: these skills, and load_skill where there is something to load. */
  tools(names: readonly string[], onLoad?: (loaded: LoadedSkill) => Promise<void>): readonly ModelTool[];
};
type CallTerms = { readonly session?: SessionId; readonly signal: AbortSignal };

export type DeskTerms = {
  readonly role: RoleDefinition;
  readonly session: SessionId;
  readonly callable: readonly CallableSkill[];
  /** Of the project and the person, beside the role's own. */
  readonly files?: readonly Skill[];
  readonly maxTokens?: number;
  /** Of an agent that keeps what it has loaded over several desks. */
  readonly loader?: SkillLoader;
};

const mostTold = 60;

export function createSkillDesk({ role, session, callable, files = [], maxTokens, ...terms }: DeskTerms): SkillDesk {
  const loader = terms.loader ?? loaderOf([...role.core, ...role.extended, ...files], maxTokens);
  const ofFiles = new Set(files.map(({ name }) => name));
  const callables = new Map(callable.flatMap((one) => namesOf(one.skill).map((name) => [name, one] as const)));

  function find(name: string): CallableSkill {
    const found = callables.get(name);
    if (found !== undefined) return found;
    throw unknown(name, [...callables.keys()]);
  }

  async function call(name: string, input: unknown, terms: CallTerms): Promise<unknown> {
    if (ofFiles.has(name)) return loader.request(name, "tool-call").skill.prompt;
    if (name === loadSkill.name) return loader.request(loadSkill.parse(input).name).skill.prompt;
    const found = find(name);
    const wanted = terms.session ?? session;
    refuseForeignChange(found, session, wanted);
    loader.request(found.skill.name, "tool-call");
    return found.run(input, { session: wanted, agent: role.name, signal: terms.signal });
  }

  return {
    core: role.core,
    extended: role.extended,
    turn: loader.turn,
    unload: loader.unload,
    loaded: loader.loaded,
    budget: loader.budget,
    load: (name) => loader.request(name),
    call,
    section: () =>
      skillSection({
        loaded: () => loader.loaded().filter(({ skill }) => ofFiles.has(skill.name)),
        others: () => loader.others().filter(({ name }) => ofFiles.has(name)),
      }),
    tools(names, onLoad) {
      const given = names.map((name): ModelTool => {
        const { name: known, description, input } = find(name).skill;
        return { name: known, description, input, run: (given, { signal }) => call(name, given, { signal }) };
      });
      const load = skillTool(loadSkill, async ({ name }) => {
        if (!ofFiles.has(name)) throw unknown(name, [...ofFiles]);
        const loaded = loader.request(name, "tool-call");
        await onLoad?.(loaded);
        return loaded.skill.prompt;
      });
      return files.length === 0 ? given : [...given, load];
    },
  };
}

function unknown(name: string, known: readonly string[]): DomainError {
  const message = `there is no skill "${name}"${suggestion(name, known)}; there are ${known.slice(0, mostTold).join(", ")}`;
  return invalidInput("skill", message, { sentence: message });
}

function namesOf({ name, id }: Skill): readonly string[] {
  return id === undefined ? [name] : [name, id];
}
