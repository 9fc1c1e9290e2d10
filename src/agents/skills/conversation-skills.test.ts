import { expect, it } from "vitest";
import type { FileSkill } from "../../knowledge/skills/index.ts";
import { untrusted } from "../../platform/untrusted-text.ts";
import { callable } from "./callable-skill.ts";
import { openConversationSkills, type SkillsRecord } from "./conversation-skills.ts";
import { defineRole } from "./define-role.ts";
import { sharedCallables } from "./shared-skills.ts";
import { analyzeImports, compareApproaches, session, signal } from "./testkit.ts";

const role = defineRole({
  card: { name: "engineer" },
  core: [],
  extended: [analyzeImports, compareApproaches],
});
const file = (name: string, changes: Partial<FileSkill> = {}): FileSkill => ({
  name,
  description: `About ${name}.`,
  domain: "general",
  keywords: [name],
  tier: "domain",
  inputSchema: {},
  prompt: untrusted(`How to ${name}.`, `skill ${name} of the project`),
  tokens: 50,
  source: "project",
  file: `/shop/.sylk/skills/${name}/SKILL.md`,
  ...changes,
});

async function open(
  text: string,
  skills: readonly FileSkill[],
  problems: readonly { file: string; message: string }[] = [],
) {
  const records: SkillsRecord[] = [];
  const routing = sharedCallables({ route: async () => ({ correlationId: "msg_1" }), reply: async () => {} });
  const imports = callable(analyzeImports, "read", async ({ package: of }) => ({ of }));
  const compare = callable(compareApproaches, "read", async () => ({}));
  const opened = await openConversationSkills({
    role,
    session: session("home"),
    files: { skills, problems },
    callable: [...routing, imports, compare],
    text,
    record: async (record) => void records.push(record),
  });
  const tool = (name: string) => opened.tools.find((one) => one.name === name);
  const use = (name: string, input: object) => tool(name)!.run(input, { id: "1", signal });
  return { ...opened, records, use, tools: opened.tools.map(({ name }) => name) };
}

it("gives the model what its text calls for, as words and as tools, and a way to ask for the rest; all with the reason", async () => {
  const { section, tools, records, use } = await open("the dependencies of the price", [
    file("price"),
    file("dates"),
    file("huge", { keywords: ["dependencies"], tokens: 9_000 }),
  ]);
  expect(section).toContain("How to price.");
  expect(section).not.toContain("How to dates.");
  expect(section).toContain("dates: About dates.");
  expect(tools).toEqual(["route_to", "broadcast", "analyze_imports", "load_skill"]);
  expect(await use("analyze_imports", { package: "shop" })).toEqual({ of: "shop" });
  expect(await use("load_skill", { name: "dates" })).toContain("untrusted input from skill dates of the project");
  await expect(use("load_skill", { name: "compare_approaches" })).rejects.toThrow(
    /no skill .*; there are price, dates/,
  );
  await expect(use("load_skill", { name: "huge" })).rejects.toThrow("needs 9000 tokens");
  expect(records).toMatchObject([
    {
      loaded: [
        { name: "analyze_imports", source: "role", why: { by: "keywords", matched: ["dependencies"], score: 1 } },
        { name: "price", source: "project", tokens: 50, why: { by: "keywords", matched: ["price"], score: 1 } },
      ],
      tooLarge: ["huge"],
      problems: [],
    },
    { loaded: [{ name: "dates", why: { by: "tool-call" } }], budget: { skills: 8 } },
  ]);
});

it("says nothing and records nothing where nothing is loaded, and tells of files it could not take", async () => {
  const plain = await open("anything", []);
  expect([plain.section, plain.tools, plain.records]).toEqual(["", ["route_to", "broadcast"], []]);
  const { records } = await open("anything", [], [{ file: "/shop/a/SKILL.md", message: "it is bad" }]);
  expect(records).toMatchObject([{ loaded: [], problems: ["/shop/a/SKILL.md: it is bad"] }]);
});
