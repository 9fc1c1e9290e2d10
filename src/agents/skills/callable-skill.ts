/**
 * A skill with what it does: called by name, with input that is checked, always in a session.
 *
 * Invariant: there is no call without a session; a call for another session than the caller's own may only read.
 */
import { DomainError, type RoleName, type SessionId } from "../../contract/index.ts";
import type { DefinedSkill } from "../../knowledge/skills/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";

export type SkillCall = {
  /** The session it acts in, or looks into. */
  readonly session: SessionId;
  readonly agent: RoleName;
  readonly signal: AbortSignal;
};
export type Effect = "read" | "change";
export type CallableSkill = {
  readonly skill: DefinedSkill<unknown>;
  readonly effect: Effect;
  /** Of the agent's own session. */
  run(input: unknown, call: SkillCall): Promise<unknown>;
};

export function callable<Input>(
  skill: DefinedSkill<Input>,
  effect: Effect,
  run: (input: Input, call: SkillCall) => Promise<unknown>,
): CallableSkill {
  return { skill, effect, run: async (input, call) => run(skill.parse(input), call) };
}

/** A skill that acts on a run's own tree or graph: outside of one it says so, and what to do instead. */
export function insideRun(skill: DefinedSkill<unknown>, wayOut: string): CallableSkill {
  return callable(skill, "read", async () => {
    throw new DomainError("caller.denied", `${skill.name} acts inside a run only; ${wayOut}`, {
      details: { needed: "a run" },
    });
  });
}

/** A skill as a tool of a model, where the tool is all there is to it. */
export function skillTool<Input>(
  skill: DefinedSkill<Input>,
  run: (input: Input, call: Parameters<ModelTool["run"]>[1]) => Promise<unknown>,
): ModelTool {
  const { name, description, input } = skill;
  return { name, description, input, run: async (given, call) => run(skill.parse(given), call) };
}

export function refuseForeignChange({ skill, effect }: CallableSkill, own: SessionId, wanted: SessionId): void {
  if (effect === "read" || own === wanted) return;
  throw new DomainError(
    "caller.denied",
    `${skill.name} changes something, and ${wanted} is another session: from ${own} it can only be read`,
    { details: { needed: `an agent of ${wanted}` } },
  );
}
