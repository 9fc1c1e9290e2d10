import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import type { ModelRequest } from "./model-request.ts";
import { chooseTurn } from "./choose-turn.ts";
import { InvalidScenario } from "./invalid-scenario.ts";
import { parseScenario, Scenario } from "./scenario.ts";

const word = fc.constantFrom(
  "name",
  "turns",
  "reply",
  "when",
  ": ",
  "\n",
  "  ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&a ",
  "*a",
  '"',
  "'",
  "|",
  ">",
  "---\n",
  "%YAML 1.1\n",
  "!!binary ",
  "!x ",
  "? ",
  "#",
  "\t",
  "80",
  "~",
  "<<: ",
  "\r",
  "__proto__",
  "\u0000",
  "é😀",
  ".nan",
  "2026-01-01",
);
const garbage = fc.oneof(
  fc.array(word, { maxLength: 60 }).map((words) => words.join("")),
  fc.string({ unit: "binary", maxLength: 120 }),
  fc.uint8Array({ maxLength: 120 }),
  fc.json(),
);

it("answers any content with a scenario or with InvalidScenario that names the file", async () => {
  await fc.assert(
    fc.asyncProperty(garbage, async (content) => {
      try {
        expect(Scenario.safeParse(await parseScenario(content, "play.yaml")).success).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidScenario);
        const { problems } = error as InvalidScenario;
        expect(problems.length).toBeGreaterThan(0);
        for (const { where } of problems) expect(where).toMatch(/^play\.yaml(:\d+:\d+)?$/);
      }
    }),
    { numRuns: 400 },
  );
});

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).filter((value) => value.isWellFormed());
const part = fc.oneof(
  fc.record({ text }),
  fc.record({ tool: name, input: fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })) }),
);
const turn = fc.record({
  when: fc.record(
    { tool: name, turn: fc.nat(5), mentions: fc.array(text, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  ),
  reply: fc.array(part, { minLength: 1, maxLength: 3 }),
});
/** Once through JSON, which has no -0. */
const scenario = fc
  .record({ name, turns: fc.array(turn, { minLength: 1, maxLength: 5 }) })
  .map((value) => JSON.parse(JSON.stringify(value)) as typeof value);

it("reads back every scenario that was written as YAML or JSON", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (value) => {
      const expected = Scenario.parse(value);
      expect(await parseScenario(JSON.stringify(value), "play.json")).toEqual(expected);
      expect(await parseScenario(stringify(value, { aliasDuplicateObjects: false }), "play.yaml")).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

it("answers with the first turn that fits, whatever case and white space the request has", () => {
  const request = fc.record({
    tools: fc.array(name),
    turn: fc.nat(5),
    heard: fc.array(text).map((texts) => texts.join(" ")),
  });
  fc.assert(
    fc.property(scenario, request, fc.nat(4), (value, { tools, turn, heard }, wanted) => {
      const played = Scenario.parse(value);
      const when = played.turns[wanted % played.turns.length]?.when ?? {};
      const said = [heard, ...(when.mentions ?? []).map((mention) => mention.replaceAll(" ", "\n\t "))].join("\n");
      const asked: ModelRequest = {
        model: "rehearsal",
        stream: false,
        tools: [...tools, ...(when.tool ? [when.tool] : [])],
        turn: when.turn ?? turn,
        heard: said,
        lastToolResult: undefined,
      };
      const choice = chooseTurn(played, asked);
      expect("index" in choice && choice.index).toBeLessThanOrEqual(wanted % played.turns.length);
      expect(chooseTurn(played, asked)).toEqual(choice);
    }),
    { numRuns: 200 },
  );
});
