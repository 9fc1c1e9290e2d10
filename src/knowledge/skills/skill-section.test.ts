import { expect, it } from "vitest";
import type { Skill } from "./define-skill.ts";
import { createSkillLoader } from "./skill-loader.ts";
import { skillSection } from "./skill-section.ts";

const skill = (name: string, changes: Partial<Skill> = {}): Skill => ({
  name,
  description: `Does ${name}. In many words.`,
  domain: "d",
  keywords: [name],
  tier: "domain",
  inputSchema: {},
  prompt: `<${name}>`,
  ...changes,
});
const sectionFor = (text: string, skills: readonly Skill[]): string => {
  const loader = createSkillLoader({ skills, countTokens: ({ length }) => length });
  loader.turn(text);
  return skillSection(loader);
};

it("gives what is loaded as a whole and a line for each other, fenced; nothing where there is nothing", () => {
  const section = sectionFor("about prices", [skill("prices"), skill("dates"), skill("route", { tier: "core" })]);
  expect(section).toContain("<prices>");
  expect(section).toMatch(/\[(sylk-\w+) untrusted input .*\]\ndates: Does dates\.\n\[\/\1\]$/);
  expect(section).not.toContain("<dates>");
  expect(section).not.toContain("route");
  expect(sectionFor("anything", [skill("route", { tier: "core" })])).toBe("");
});

it("lists no more lines than a prompt can bear, each on one line and short", () => {
  const many = Array.from({ length: 100 }, (_, index) => skill(`s${index}`, { description: "x\n".repeat(400) }));
  const lines = sectionFor("nothing", many)
    .split("\n")
    .filter((line) => line.startsWith("s"));
  expect(lines).toHaveLength(60);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(200);
  expect(sectionFor("nothing", many)).toContain("and 40 more");
});
