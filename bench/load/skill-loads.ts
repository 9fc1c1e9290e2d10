/** Loading skills by a conversation's text, among many: what the bench times and a test counts. */
import { createSkillLoader, type Skill, type SkillLoader } from "../../src/knowledge/skills/index.ts";

/** A tenth of them core; each with three keywords, one of which is a phrase; as large as real ones. */
export function manySkills(count: number): readonly Skill[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `skill-${index}`,
    description: `Does number ${index}. In a sentence or two, as real ones do.`,
    domain: `domain-${index % 10}`,
    keywords: [`word${index}`, `topic${index % 20} of${index}`, `phrase ${index} here`],
    tier: index % 100 === 0 ? ("core" as const) : ("domain" as const),
    inputSchema: {},
    prompt: "x".repeat(400),
    tokens: 100 + (index % 7) * 10,
  }));
}

/** One turn of a conversation: some words that call for one skill, in a text as long as a request. */
export function loadOne(loader: SkillLoader, index: number): readonly string[] {
  return loader.turn(`${filler} please use word${index} for it`).loaded;
}

const filler =
  "Change the shop so that a customer sees the price with the discount in the cart and on the receipt. ".repeat(4);

export function loaderOf(skills: readonly Skill[]): SkillLoader {
  return createSkillLoader({ skills, countTokens: ({ length }) => length });
}
