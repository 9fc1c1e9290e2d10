import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Skill, Tier } from "./define-skill.ts";
import { createKeywordIndex } from "./match-keywords.ts";
import { createSkillLoader, type SkillLoaderOptions } from "./skill-loader.ts";

/** Costs as many "tokens" as it has characters. */
function skill(name: string, tier: Tier, cost = 10, keywords: readonly string[] = [name]): Skill {
  return {
    name,
    tier,
    keywords,
    description: `Does ${name}. Always.`,
    domain: "d",
    inputSchema: {},
    prompt: "x".repeat(cost),
  };
}

function loaderOf(skills: readonly Skill[], options: Partial<SkillLoaderOptions> = {}) {
  const loader = createSkillLoader({ skills, countTokens: (prompt) => prompt.length, ...options });
  return { ...loader, names: () => loader.loaded().map((each) => each.skill.name) };
}

describe("keywords", () => {
  it.each([
    ["What dependencies does it have?", ["dependencies"], 1],
    ["the dagger", ["dag"], 0],
    ["run the DAG!", ["dag"], 1],
    ["React vs Vue", ["vs", "compare approaches"], 1],
    ["please compare  approaches: vs", ["vs", "compare approaches"], 3],
    ["compare many approaches", ["compare approaches"], 0],
    ["analyseImports of my_file", ["imports", "file"], 2],
    ["größe der Größenordnung", ["größe"], 1],
    ["dag dag dag", ["dag"], 1],
    ["anything", ["", "?!"], 0],
  ])("%j against %j scores %i [SKILL-3]", (text, keywords, score) => {
    expect(
      createKeywordIndex([{ name: "s", keywords }])
        .match(text)
        .get("s")?.score ?? 0,
    ).toBe(score);
  });
});

describe("loading", () => {
  it("loads core at once, domain skills by keyword, specialised ones on request only [SKILL-2, SKILL-3]", () => {
    const { turn, request, names } = loaderOf([
      skill("route", "core"),
      skill("imports", "domain", 10, ["dependencies"]),
      skill("benchmark", "specialised"),
    ]);
    expect(names()).toEqual(["route"]);
    expect(turn("which dependencies? run a benchmark")).toEqual({ loaded: ["imports"], unloaded: [], tooLarge: [] });
    for (const by of ["request", "tool-call", "command"] as const) {
      expect(request("benchmark", by).skill.name).toBe("benchmark");
    }
    expect(names().sort()).toEqual(["benchmark", "imports", "route"]);
  });

  it("says why each skill is loaded, what it costs, and how much of the budget is used", () => {
    const { turn, request, loaded, budget, unload, others } = loaderOf(
      [
        skill("route", "core", 30),
        skill("imports", "domain", 20, ["dependencies", "import graph"]),
        skill("bench", "specialised"),
      ],
      { maxTokens: 100 },
    );
    turn("the import graph and its dependencies");
    request("bench", "command");
    expect(loaded()).toMatchObject([
      { skill: { name: "route" }, tokens: 30, why: { by: "core" } },
      { why: { by: "keywords", matched: ["dependencies", "import graph"], score: 3 }, tokens: 20, loadedAtTurn: 1 },
      { skill: { name: "bench" }, why: { by: "command" } },
    ]);
    expect(budget()).toEqual({ used: 60, max: 100, skills: 3, maxSkills: 20 });
    unload("bench");
    expect(budget().used).toBe(50);
    expect(others().map(({ name }) => name)).toEqual(["bench"]);
  });

  it("refuses to unload core skills, to load unknown ones, and core skills beyond the budget [SKILL-6]", () => {
    const { unload, request } = loaderOf([skill("route", "core"), skill("huge", "specialised", 5_000)]);
    expect(() => unload("route")).toThrow(/core skill .* stays loaded/);
    expect(() => request("rout")).toThrow('there is no skill "rout"; did you mean route? known: route, huge');
    expect(() => request("huge")).toThrow(/needs 5000 tokens/);
    expect(() => loaderOf([skill("a", "core", 60), skill("b", "core", 60)], { maxTokens: 100 })).toThrow(
      /need 120 tokens/,
    );
    expect(() => loaderOf([skill("a", "core"), skill("b", "core")], { maxSkills: 1 })).toThrow(/in 2 skills/);
    expect(() => loaderOf([skill("a", "core"), skill("a", "domain")])).toThrow(/same name/);
  });
});

describe("unloading", () => {
  it("unloads what was not used for five turns, and keeps what was", () => {
    const { turn, request, names } = loaderOf([
      skill("old", "domain"),
      skill("kept", "domain"),
      skill("word", "domain"),
    ]);
    turn("old kept word");
    for (let quiet = 0; quiet < 4; quiet++) expect(turn("nothing").unloaded).toEqual([]);
    request("kept", "tool-call");
    expect(turn("the word again").unloaded).toEqual([{ name: "old", why: "unused" }]);
    expect(names().sort()).toEqual(["kept", "word"]);
  });

  it("starts unloading when nine tenths are used, the least recently used first, and nothing of this turn [SKILL-4, SKILL-9]", () => {
    const skills = ["a", "b", "c", "d"].map((name) => skill(name, "domain", 24));
    const { turn, names } = loaderOf(skills, { maxTokens: 100 });
    turn("a");
    turn("b");
    turn("c");
    turn("a");
    expect(turn("d")).toEqual({ loaded: ["d"], unloaded: [{ name: "b", why: "budget" }], tooLarge: [] });
    expect(names()).toEqual(["c", "a", "d"]);
    const both = loaderOf([skill("a", "domain", 46), skill("b", "domain", 46)], { maxTokens: 100 });
    expect(both.turn("a and b"), "nothing of this turn").toMatchObject({ loaded: ["a", "b"], unloaded: [] });
    const [just, over] = [30, 31].map((last) =>
      loaderOf([skill("a", "domain", 30), skill("b", "domain", 30), skill("c", "domain", last)], { maxTokens: 100 }),
    );
    for (const loader of [just!, over!]) for (const word of ["a", "b", "c"]) loader.turn(word);
    expect([just!.names(), over!.names()], "90 and 91 of 100").toEqual([
      ["a", "b", "c"],
      ["b", "c"],
    ]);
  });

  it("tells of a skill that fits the text but not the budget, which goes to what fits best [SKILL-3]", () => {
    const skills = [skill("small", "domain", 60, ["small", "very small"]), skill("other", "domain", 60)];
    const turn = (text: string) => loaderOf(skills, { maxTokens: 100 }).turn(text);
    expect(turn("small other other")).toEqual({ loaded: ["other"], unloaded: [], tooLarge: ["small"] });
    expect(turn("other, very small")).toEqual({ loaded: ["small"], unloaded: [], tooLarge: ["other"] });
  });

  it("never exceeds the budget, never unloads core, and unloads in order of last use, whatever is asked [SKILL-4, SKILL-5, SKILL-6]", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const step = fc.oneof(
      fc.record({ do: fc.constant("turn" as const), words: fc.subarray(names) }),
      fc.record({ do: fc.constant("request" as const), name: fc.constantFrom(...names) }),
    );
    const costs = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        costs,
        fc.integer({ min: 2, max: 5 }),
        fc.array(step, { maxLength: 40 }),
        (sizes, maxSkills, steps) => {
          const skills = names.map((name, index) => skill(name, index < 3 ? "domain" : "specialised", sizes[index]));
          const loader = loaderOf([skill("core", "core", 10), ...skills], { maxTokens: 100, maxSkills });
          const lastUse = new Map<string, number>();
          for (const [now, action] of steps.entries()) {
            const before = new Set(loader.names());
            if (action.do === "turn") {
              loader.turn(action.words.join(" "));
              for (const word of action.words)
                if (before.has(word) || loader.names().includes(word)) lastUse.set(word, now);
            } else {
              loader.request(action.name);
              lastUse.set(action.name, now);
            }
            const left = loader.names().filter((name) => name !== "core");
            for (const gone of before)
              if (!left.includes(gone) && gone !== "core")
                for (const kept of left)
                  expect([gone, kept, lastUse.get(gone)! <= lastUse.get(kept)!]).toEqual([gone, kept, true]);
            const { used, skills: count } = loader.budget();
            expect(used).toBe(loader.loaded().reduce((sum, { tokens }) => sum + tokens, 0));
            expect(used).toBeLessThanOrEqual(100);
            expect(count).toBeLessThanOrEqual(maxSkills);
            expect(loader.names()).toContain("core");
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

it("measures with a real tokenizer what a model is given [SKILL-5]", () => {
  const prompt = "Shows what a file depends on. ".repeat(20);
  const real = { ...skill("imports", "domain"), prompt };
  const loader = createSkillLoader({ skills: [real], countTokens });
  loader.request("imports");
  expect(loader.budget().used).toBe(countTokens(prompt));
  expect(loader.budget().used).toBeLessThan(prompt.length / 3);
});
