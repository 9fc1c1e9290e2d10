/**
 * The skills of one agent: which are loaded now, why, and what they cost.
 *
 *   turn(text) -> domain skills whose keywords the text has, best first     request(name) -> any skill, by name
 *        \-> unload: unused for some turns; the least recently used while the budget is nearly used
 *
 * Invariant: core skills are always loaded; the tokens and the number of loaded skills never exceed the budget.
 */
import { invalidInput } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { Skill } from "./define-skill.ts";
import { createKeywordIndex } from "./match-keywords.ts";

export type WhyLoaded =
  | { readonly by: "core" }
  | { readonly by: "keywords"; readonly matched: readonly string[]; readonly score: number }
  | { readonly by: "request" | "tool-call" | "command" };

export type LoadedSkill = {
  readonly skill: Skill;
  readonly tokens: number;
  readonly why: WhyLoaded;
  readonly loadedAtTurn: number;
  readonly lastUsedTurn: number;
  readonly uses: number;
};

export type WhyUnloaded = "unused" | "budget" | "asked";
export type TurnChanges = {
  readonly loaded: readonly string[];
  readonly unloaded: readonly { readonly name: string; readonly why: WhyUnloaded }[];
  /** Fit the text, but not the budget even after unloading what could go. */
  readonly tooLarge: readonly string[];
};

export interface SkillLoader {
  /** A new turn of the conversation, with what was said. */
  turn(text: string): TurnChanges;
  /** Loads by name, or keeps what is loaded from being unloaded soon. */
  request(name: string, by?: "request" | "tool-call" | "command"): LoadedSkill;
  unload(name: string): void;
  loaded(): readonly LoadedSkill[];
  /** What can be asked for beside what is loaded. */
  others(): readonly Skill[];
  budget(): { readonly used: number; readonly max: number; readonly skills: number; readonly maxSkills: number };
}

export type SkillLoaderOptions = {
  readonly skills: readonly Skill[];
  readonly countTokens: (text: string) => number;
  readonly maxTokens?: number;
  readonly maxSkills?: number;
  readonly unusedTurns?: number;
  /** Unloading starts above this share of the tokens. */
  readonly nearlyUsed?: number;
};

type Held = { skill: Skill; tokens: number; why: WhyLoaded; loadedAtTurn: number; lastUsedTurn: number; uses: number };

export function createSkillLoader(options: SkillLoaderOptions): SkillLoader {
  const { skills, countTokens, maxTokens = 4_000, maxSkills = 20, unusedTurns = 5, nearlyUsed = 0.9 } = options;
  const known = new Map(skills.map((skill) => [skill.name, skill]));
  if (known.size < skills.length) throw new TypeError("two skills have the same name; a request could mean either");
  /** Least recently used first: a used skill moves to the end. */
  const held = new Map<string, Held>();
  const sizes = new Map<string, number>();
  const keywords = createKeywordIndex(skills.filter(({ tier }) => tier !== "core"));
  let used = 0;
  let turnNumber = 0;

  function sizeOf(skill: Skill): number {
    const size = sizes.get(skill.name) ?? skill.tokens ?? countTokens(skill.prompt);
    sizes.set(skill.name, size);
    return size;
  }

  function put(skill: Skill, why: WhyLoaded): Held {
    const tokens = sizeOf(skill);
    const entry = { skill, tokens, why, loadedAtTurn: turnNumber, lastUsedTurn: turnNumber, uses: 0 };
    held.set(skill.name, entry);
    used += tokens;
    return entry;
  }

  function drop(name: string): void {
    used -= held.get(name)?.tokens ?? 0;
    held.delete(name);
  }

  function touch(entry: Held): void {
    entry.lastUsedTurn = turnNumber;
    entry.uses++;
    held.delete(entry.skill.name);
    held.set(entry.skill.name, entry);
  }

  const removable = (): Held[] => [...held.values()].filter(({ why }) => why.by !== "core");

  /** What must go, least recently used first, so that this fits; undefined if it cannot. `mayGo` protects the rest. */
  function roomFor(tokens: number, mayGo: (entry: Held) => boolean): readonly string[] | undefined {
    const going: string[] = [];
    let [left, count] = [maxTokens - used, maxSkills - held.size];
    for (const entry of removable().filter(mayGo)) {
      if (left >= tokens && count >= 1) break;
      going.push(entry.skill.name);
      left += entry.tokens;
      count++;
    }
    return left >= tokens && count >= 1 ? going : undefined;
  }

  function unloadUnused(): string[] {
    const gone = removable().filter(({ lastUsedTurn }) => turnNumber - lastUsedTurn >= unusedTurns);
    for (const { skill } of gone) drop(skill.name);
    return gone.map(({ skill }) => skill.name);
  }

  function unloadToSpare(): string[] {
    const gone: string[] = [];
    for (const { skill, lastUsedTurn } of removable()) {
      if (used <= maxTokens * nearlyUsed) break;
      if (lastUsedTurn === turnNumber) continue;
      drop(skill.name);
      gone.push(skill.name);
    }
    return gone;
  }

  function find(name: string): Skill {
    const skill = known.get(name);
    if (skill) return skill;
    const names = [...known.keys()];
    throw invalidInput("skill", `unknown skill ${name}`, {
      sentence: `there is no skill "${name}"${suggestion(name, names) || ";"} known: ${names.join(", ")}`,
    });
  }

  for (const skill of skills) if (skill.tier === "core") put(skill, { by: "core" });
  if (used > maxTokens || held.size > maxSkills)
    throw new RangeError(
      `the core skills need ${used} tokens in ${held.size} skills, the budget is ${maxTokens} in ${maxSkills}`,
    );

  return {
    turn(text) {
      turnNumber++;
      const wanted = [...keywords.match(text)]
        .map(([name, match]) => ({ skill: known.get(name)!, ...match }))
        .filter(({ skill: { tier, name } }) => tier === "domain" || held.has(name))
        .sort((one, other) => other.score - one.score || (one.skill.name < other.skill.name ? -1 : 1));
      for (const { skill } of wanted.toReversed()) {
        const entry = held.get(skill.name);
        if (entry) touch(entry);
      }
      const unloaded = unloadUnused().map((name) => ({ name, why: "unused" as WhyUnloaded }));
      const [loaded, tooLarge]: [string[], string[]] = [[], []];
      for (const { skill, matched, score } of wanted) {
        if (held.has(skill.name)) continue;
        const going = roomFor(sizeOf(skill), ({ lastUsedTurn }) => lastUsedTurn < turnNumber);
        if (!going) {
          tooLarge.push(skill.name);
          continue;
        }
        going.forEach(drop);
        unloaded.push(...going.map((name) => ({ name, why: "budget" as const })));
        put(skill, { by: "keywords", matched, score });
        loaded.push(skill.name);
      }
      unloaded.push(...unloadToSpare().map((name) => ({ name, why: "budget" as const })));
      return { loaded, unloaded, tooLarge };
    },
    request(name, by = "request") {
      const skill = find(name);
      const entry = held.get(name);
      if (entry) {
        touch(entry);
        return { ...entry };
      }
      const going = roomFor(sizeOf(skill), () => true);
      if (!going)
        throw invalidInput("skill", "larger than the budget", {
          sentence: `${name} needs ${sizeOf(skill)} tokens; the core skills leave less than that of the budget of ${maxTokens}; raise it`,
          details: { tokens: sizeOf(skill), maxTokens },
        });
      going.forEach(drop);
      return { ...put(skill, { by }) };
    },
    unload(name) {
      find(name);
      if (held.get(name)?.why.by === "core")
        throw invalidInput("skill", "core skills stay loaded", {
          sentence: `${name} is a core skill of this agent and stays loaded`,
        });
      drop(name);
    },
    loaded: () => [...held.values()].map((entry) => ({ ...entry })),
    others: () => skills.filter(({ name }) => !held.has(name)),
    budget: () => ({ used, max: maxTokens, skills: held.size, maxSkills }),
  };
}
