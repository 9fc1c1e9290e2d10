import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../contract/index.ts";
import { addressedTo, parseRoute, type Route } from "./parse-route.ts";
import type { RouteProblem } from "./route-error.ts";
import { domains, guideTargets, intents, userVocabulary } from "./route-vocabulary.ts";

const vocabulary = { ...userVocabulary, shortcuts: [{ action: "find", agent: "librarian" }] };
const parse = (input: string): Route => parseRoute(input, vocabulary);

it.each<[string, Route]>([
  ["Add discounts ", { kind: "plain", text: "Add discounts" }],
  ["mail bob@to:architect now", { kind: "plain", text: "mail bob@to:architect now" }],
  ["@types/node is missing", { kind: "plain", text: "@types/node is missing" }],
  ["@to:librarian where?", { kind: "to", agent: "librarian", text: "where?" }],
  [' @TO:Arch "why\n \\"so\\"?" ', { kind: "to", agent: "archivalist", text: 'why\n "so"?' }],
  ['@to:tester "a" or "b"', { kind: "to", agent: "tester", text: '"a" or "b"' }],
  ["@from:tester all green", { kind: "from", agent: "tester", text: "all green" }],
  ["@broadcast:tester,inspector,tester stop", { kind: "broadcast", agents: ["tester", "inspector"], text: "stop" }],
  ['@guide:academic "compare A and B"', { kind: "to", agent: "academic", text: "compare A and B" }],
  ["@guide who knows the cart?", { kind: "classify", text: "who knows the cart?" }],
  ["@find parseRoute", { kind: "shortcut", action: "find", agent: "librarian", text: "parseRoute" }],
  ["@arch:r:pat", { kind: "query", agent: "archivalist", intent: "recall", domain: "patterns", params: {} }],
  ["@tester:!", { kind: "query", agent: "tester", intent: "status", params: {} }],
  ["@tester:?", { kind: "query", agent: "tester", intent: "help", params: {} }],
  [
    '@arch:s:dec?scope=cart%20total&k={"choice":"a{b"}',
    {
      kind: "query",
      agent: "archivalist",
      intent: "store",
      domain: "decisions",
      params: { scope: "cart total", k: "" },
      payload: { choice: "a{b" },
    },
  ],
  [
    "@librarian:check:code?lang=ts is it used?",
    { kind: "query", agent: "librarian", intent: "check", domain: "code", params: { lang: "ts" }, text: "is it used?" },
  ],
])("%j is understood [GUIDE-21]", (input, route) => {
  expect(parse(input)).toEqual(route);
});

it.each([
  ["@to:wizard do it", 4, /one of architect, librarian/, '"wizard"'],
  ["  @to:engineer do it", 6, /one of architect/, '"engineer"'],
  ["@to librarian x", 3, /":" and an agent/, '" librarian x"'],
  ["@to: x", 4, /an agent \(/, '" x"'],
  ["@to:, and then many more words", 4, /an agent \(/, '", and then m"'],
  ["@broadcast tester x", 10, /":" and agents/, '" tester x"'],
  ["@to:librarian", 13, /text/, "the end"],
  ['@to:librarian ""', 14, /text/, "the end"],
  ['@to:librarian "open', 19, /closing " of the text that begins at 14/, "the end"],
  ["@broadcast:tester,, x", 18, /an agent/, '", x"'],
  ["@broadcast:tester,nobody x", 18, /one of/, '"nobody"'],
  ["@media queries break", 1, /@to:<agent>.*@find/, '"media"'],
  ["@wizard:recall x", 1, /one of architect/, '"wizard"'],
  ["@arch:dance", 6, /one of recall/, '"dance"'],
  ["@arch:r:moon", 8, /one of patterns/, '"moon"'],
  ["@arch:r:pat?", 12, /name of a parameter/, "the end"],
  ["@arch:r:pat?a", 13, /"=" after a/, "the end"],
  ["@arch:r:pat?a=1&a=2", 16, /each parameter once/, '"a"'],
  ["@arch:r:pat?a=%zz", 14, /whole %-codes/, '"%zz"'],
  ['@arch:r:pat{"a":}', 11, /a JSON object/, expect.stringContaining("JSON") as string],
  ['@arch:r:pat{"a":1', 11, /a JSON object/, expect.stringContaining("JSON") as string],
  ['@arch:r:pat{"a":1} more', 11, /a JSON object up to the end/, expect.stringContaining("JSON") as string],
  ["@arch:r:pat!", 11, /a space/, '"!"'],
])("%j is refused with place, expectation and finding [GUIDE-21]", (input, position, expected, got) => {
  expect(() => parse(input)).toThrow(
    expect.objectContaining({
      code: "input.invalid",
      details: expect.objectContaining({
        position,
        expected: expect.stringMatching(expected) as string,
        got,
      }) as object,
    }),
  );
});

it("names the known agents when one is unknown [GUIDE-21]", () => {
  expect(() => parse("@to:wizard do it")).toThrow(
    /no agent "wizard" to address; known: architect, librarian, academic, archivalist, inspector, tester$/,
  );
});

it("knows agents by their whole names before another's alias, also those of plugins, with dots and capitals [GUIDE-21]", () => {
  const agents = [{ name: "tester" }, { name: "Acme.Style", aliases: ["Tester", "Style"] }];
  const shortcuts = [{ action: "Tidy", agent: "Acme.Style" }];
  const agentOf = (input: string) => (parseRoute(input, { agents, shortcuts }) as { agent?: string }).agent;
  const inputs = ["@to:tester x", "@to:style x", "@to:Acme.Style x", "@acme.style:check", "@tidy x"];
  expect(inputs.map(agentOf)).toEqual(["tester", ...Array.from({ length: 4 }, () => "Acme.Style")]);
});

it("has these intents and domains, with these short forms [GUIDE-21]", () => {
  const written = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table).map(([name, short]) => [name, ...short].join(" "));
  expect(written(intents).join(", ")).toBe(
    "recall r, check c, store s, declare d, complete, help ?, status !, plan, interrupt, validate, execute, analyze",
  );
  expect(written(domains).join(", ")).toBe(
    "patterns pat, failures fail, decisions dec, files, learnings learn, intents, agents, system sys, tasks, code, workflow",
  );
});

it("takes after @guide: exactly the six agents, by their whole names [GUIDE-22]", () => {
  const wide = {
    agents: [...userVocabulary.agents, { name: "engineer" }, { name: "guide" }, { name: "orchestrator" }],
  };
  for (const agent of guideTargets)
    expect(parseRoute(`@guide:${agent} x`, wide)).toEqual({ kind: "to", agent, text: "x" });
  for (const agent of ["engineer", "guide", "orchestrator", "user", "arch"])
    expect(() => parseRoute(`@guide:${agent} x`, wide), agent).toThrow(
      "known: architect, librarian, academic, archivalist, inspector, tester",
    );
});

describe("whatever is written", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  const agent = fc.constantFrom(...guideTargets);
  const inQuotes = (words: string) => `"${words.replace(/["\\]/g, "\\$&")}"`;
  // V8 13.6 reads the key `"` as `\\` where it has read an object of the same shape with that key before.
  const json = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !JSON.stringify(value).includes('\\"":'));

  it("brings quoted text through unchanged, behind every tag [GUIDE-21]", () => {
    fc.assert(
      fc.property(text, agent, agent, (words, one, other) => {
        const quote = inQuotes(words);
        expect(parse(`@to:${one} ${quote}`)).toEqual({ kind: "to", agent: one, text: words });
        expect(parse(addressedTo(one, words))).toEqual({ kind: "to", agent: one, text: words });
        expect(parse(`@from:${one}${quote}`)).toEqual({ kind: "from", agent: one, text: words });
        expect(parse(`@guide ${quote}`)).toEqual({ kind: "classify", text: words });
        expect(parse(`@broadcast:${one},${other} ${quote}`)).toMatchObject({ kind: "broadcast", text: words });
      }),
    );
  });

  it("reads a query back as it was meant, long or short [GUIDE-21]", () => {
    const pick = (table: Readonly<Record<string, readonly string[]>>) =>
      fc.constantFrom(
        ...Object.entries(table).flatMap(([name, short]) => [name, ...short].map((used) => [name, used])),
      );
    const params = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]*$/), text, { maxKeys: 4 });
    fc.assert(
      fc.property(agent, pick(intents), pick(domains), params, json, (name, intent, domain, wanted, payload) => {
        const list = Object.entries(wanted).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
        const query = list.length === 0 ? "" : `?${list.join("&")}`;
        const route = parse(`@${name}:${intent[1]}:${domain[1]}${query}${JSON.stringify(payload)}`);
        expect(route).toMatchObject({ kind: "query", agent: name, intent: intent[0], domain: domain[0] });
        expect(JSON.stringify(route)).toContain(JSON.stringify(payload));
        if (route.kind === "query") expect(Object.entries(route.params)).toEqual(Object.entries(wanted));
      }),
    );
  });

  it("is either understood or refused at a place inside it, with what stands there [GUIDE-21]", () => {
    const piece = fc.constantFrom(
      "@",
      "to:",
      "from:tester",
      "broadcast:",
      "find",
      ":",
      "guide",
      "arch",
      "r",
      "?",
      "=",
      "&",
      "{",
      "}",
      '"',
      " ",
      ",",
      "%",
      "\\",
    );
    const input = fc
      .tuple(fc.constantFrom("", " ", "\n"), fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }))
      .map(([before, pieces]) => `${before}@${pieces.join("")}`);
    fc.assert(
      fc.property(input, (given) => {
        try {
          parse(given);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          const { position, expected, got } = (error as DomainError).details as RouteProblem;
          expect(position).toBeGreaterThanOrEqual(0);
          expect(position).toBeLessThanOrEqual(given.length);
          expect(expected).not.toBe("");
          if (got === "the end") expect(position === given.length || /""\s*$/.test(given)).toBe(true);
          else if (got.startsWith('"')) expect(given.startsWith(JSON.parse(got) as string, position)).toBe(true);
          else expect(given[position], "or what is wrong with the JSON there").toBe("{");
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
