import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createAgent, createSkillDesk, defineRole } from "../skills/index.ts";
import { analyzeImports, compareApproaches, session } from "../skills/testkit.ts";
import { namesOfRoles, roles } from "./roles.ts";
import { maySend, RoleName, type SkillRole } from "../../contract/index.ts";
import type { Skill } from "../../knowledge/skills/index.ts";
import { createGuide } from "../../orchestration/guide/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";

const every = Object.entries(roles);
const skillsOf = ({ core, extended }: { readonly core: readonly Skill[]; readonly extended: readonly Skill[] }) => [
  ...core,
  ...extended,
];
const parametersOf = ({ inputSchema }: Skill): string =>
  Object.keys(inputSchema.properties as object)
    .map((name) => `${name}${((inputSchema.required ?? []) as string[]).includes(name) ? "!" : "?"}`)
    .join(" ");

describe.each(every)("the %s", (name, role) => {
  it("has the skills of every agent with their parameters [COMMON-1, COMMON-2, COMMON-3, COMMON-4]", () => {
    const shared = Object.fromEntries(role.core.map((skill) => [skill.name, parametersOf(skill)]));
    expect(shared).toMatchObject({
      route_to: "target! message! context?",
      route_from: "source! message! correlation_id!",
      reply_to: "correlation_id! response! complete?",
      broadcast: "targets! message!",
    });
  });

  it("starts once at a time on the session's bus, runs until it is stopped, and stops as often as one likes [COMMON-5]", () => {
    const clock = manualClock();
    const router = createGuide({ clock, ids: randomIds(clock), record: async () => {} }).open(session("life"));
    const agent = createAgent(role, () => expect.unreachable("nothing is asked"));
    const listening = () => router.agents().map((card) => card.name);
    expect([agent.isRunning, listening()]).toEqual([false, []]);
    agent.start(router);
    expect([agent.isRunning, listening()]).toEqual([true, [role.card.name]]);
    expect(() => agent.start(router)).toThrow("runs already; stop it before you start it again");
    expect([agent.isRunning, listening()]).toEqual([true, [role.card.name]]);
    for (let times = 0; times < 2; times++) agent.stop();
    expect([agent.isRunning, listening()]).toEqual([false, []]);
  });

  it("says for its registration who it is, what for, and by which messages it is asked [COMMON-6]", () => {
    const { card, answers } = role;
    expect(card).toMatchObject({ name, description: expect.stringMatching(/\w+ \w+/) as string });
    expect(card.intents?.length).toBeGreaterThan(0);
    for (const type of answers)
      expect(RoleName.options.some((from) => maySend(type, from, name as SkillRole))).toBe(true);
    expect(answers.length > 0 || name === "guide", "somebody asks it").toBe(true);
  });

  it("has core skills that are always loaded, and extended ones that are not [SKILL-2]", () => {
    expect(Math.min(role.core.length, role.extended.length)).toBeGreaterThan(0);
    expect(new Set(role.core.map(({ tier }) => tier))).toEqual(new Set(["core"]));
    expect(role.extended.map(({ tier }) => tier)).not.toContain("core");
    const desk = createSkillDesk({ role, session: session("a"), callable: [] });
    expect(desk.loaded().map(({ skill }) => skill.name)).toEqual(role.core.map((skill) => skill.name));
    for (const { name: extended } of role.extended) expect(desk.load(extended).why).toEqual({ by: "request" });
  });

  it("costs what its definitions say, by a real tokenizer, within the sizes that were agreed [SKILL-7, SKILL-6]", () => {
    for (const { name: skill, prompt, tokens } of skillsOf(role))
      expect([skill, tokens]).toEqual([skill, countTokens(prompt)]);
    const core = role.core.reduce((sum, { tokens }) => sum + tokens!, 0);
    expect(role.core.length).toBeGreaterThanOrEqual(5);
    expect(role.core.length).toBeLessThanOrEqual(10);
    expect(core).toBeGreaterThanOrEqual(500);
    expect(core).toBeLessThanOrEqual(1_000);
    const domains = Map.groupBy(
      role.extended.filter(({ tier }) => tier === "domain"),
      ({ domain }) => domain,
    );
    for (const [domain, skills] of domains) {
      const cost = skills.reduce((sum, { tokens }) => sum + tokens!, 0);
      expect([domain, cost >= 200, cost <= 500]).toEqual([domain, true, true]);
    }
    for (const { tier, tokens } of role.extended)
      if (tier === "specialised") expect(tokens! >= 100 && tokens! <= 300).toBe(true);
  });

  it("gives every skill a domain and keywords", () => {
    for (const { name: skill, domain, keywords } of skillsOf(role))
      expect([skill, domain.trim() !== "" && keywords.length > 0]).toEqual([skill, true]);
  });
});

it("loads analyze_imports for dependencies and compare_approaches for one thing versus another, and neither for less", () => {
  const role = defineRole({
    card: { name: "academic" },
    core: [],
    extended: [analyzeImports, compareApproaches],
  });
  const loadedBy = (text: string) => createSkillDesk({ role, session: session("a"), callable: [] }).turn(text).loaded;
  expect(loadedBy("Which dependencies does the cart have?")).toEqual(["analyze_imports"]);
  expect(loadedBy("React vs Vue for the shop")).toEqual(["compare_approaches"]);
  expect(loadedBy("an independent, graphical approach")).toEqual([]);
});

it("takes domains and keywords as the origin gives them", () => {
  const given = (name: keyof typeof roles, skill: string) => {
    const { domain, keywords } = skillsOf(roles[name]).find((one) => one.name === skill)!;
    return `${domain}: ${keywords.join(", ")}`;
  };
  expect(given("engineer", "read_file")).toBe("file_ops: read, file, content, show");
  expect(given("engineer", "run_command")).toBe("bash: run, command, bash, shell, execute");
  expect(given("engineer", "consult_librarian")).toBe("consultation: codebase, existing, implemented, find");
  expect(given("guide", "guide_route")).toBe("routing: @guide, route, direct, agent");
  expect(given("librarian", "search_code")).toBe("codebase: search, grep, find, code, pattern");
  expect(given("inspector", "validate_task")).toBe("validation: validate, check, task, result");
  expect(given("tester", "route_to")).toBe("routing: @to, route, send, forward");
});

it("means a program by the Engineer's run_command and a slash command by the others', each by an id of its own", () => {
  const idOf = (name: keyof typeof roles) => roles[name].core.find((skill) => skill.name === "run_command")?.id;
  expect(idOf("engineer")).toBe("engineer.run_command");
  for (const name of ["architect", "librarian", "inspector", "tester"] as const) expect(idOf(name)).toBe("slash.run");
  expect(namesOfRoles.has("run_command")).toBe(true);
});

it("refuses a role with a skill twice or in the wrong list", () => {
  const terms = { card: { name: "tester" } } as const;
  expect(() => defineRole({ ...terms, core: [analyzeImports], extended: [] })).toThrow(
    "analyze_imports is not a core skill",
  );
  expect(() => defineRole({ ...terms, core: [], extended: [analyzeImports, analyzeImports] })).toThrow(
    "analyze_imports is there twice",
  );
  expect(() => defineRole({ ...terms, core: [], extended: [roles.engineer.core[0]!] })).toThrow("is a core skill");
});
