import { expect, it } from "vitest";
import { classifyText } from "./classify-text.ts";
import { bandOf, confidenceOf, scoreAgents } from "./score-agents.ts";
import { standardCards } from "./standard-cards.ts";

const cards = Object.values(standardCards);
const score = (text: string) => scoreAgents(text, classifyText(text), cards);

it.each([
  ["where is the total computed?", "librarian", "execute"],
  ["find the function checkoutTotal", "librarian", "log"],
  ["what uses priceOf?", "librarian", "log"],
  ["who calls checkout_total()?", "librarian", "log"],
  ["which modules import the cart?", "librarian", "log"],
  ["what did we try last week about discounts?", "archivalist", "execute"],
  ["have we decided on a currency before?", "archivalist", "execute"],
  ["how should we design discounts?", "architect", "execute"],
  ["Add percentage discounts to the cart", "architect", "execute"],
  ["review src/cart.ts for security", "inspector", "log"],
  ["is the coverage of our tests good?", "tester", "log"],
  ["review the tests", "inspector", "confirm"],
  ["How would I design a cache for prices?", "academic", "log"],
  ["What's the best approach to caching?", "academic", "log"],
])("%j is for the %s: %s [GUIDE-23]", (text, name, band) => {
  const candidates = score(text);
  expect([candidates[0]?.name, bandOf(confidenceOf(candidates))]).toEqual([name, band]);
});

it.each(["hello", "", "???", "zzz ".repeat(3_000)])("%j is for no agent", (text) => {
  expect(bandOf(confidenceOf(score(text)))).toBe("reject");
});

it("adds 10 for the intent, 10 for a domain, 5 for the tense and the priority, and says so", () => {
  const text = "what happened in the last run?";
  const [best] = scoreAgents(text, classifyText(text), [
    { name: "archivalist", priority: 3, intents: ["recall"], domains: ["workflow"], tense: "past" },
  ]);
  expect(best).toMatchObject({ score: 28, evidence: 25 });
  expect(best?.because).toEqual(["intent recall +10", "domain workflow +10", "about the past +5"]);
  const words = { name: "tester", keywords: ["what", "happened", "in", "last"] } as const;
  expect(scoreAgents(text, classifyText(text), [words])[0], "10 for words at the most").toMatchObject({
    evidence: 10,
    because: ["words what, happened, in +10"],
  });
});

it("bars who answers about the past only from a question about the future, and who wants a tag from all", () => {
  const text = "will the last plan of the run fail?";
  const future = { ...classifyText(text), tense: "future" as const, intent: "plan" };
  const [first, second] = scoreAgents(text, future, [
    { name: "archivalist", domains: ["workflow"], constraints: { retrospectiveOnly: true } },
    { name: "architect", priority: -5 },
  ]);
  expect([first?.name, second?.barred]).toEqual(["architect", "answers about the past only"]);
  const [tagged] = scoreAgents(text, future, [{ name: "tester", constraints: { taggedOnly: true } }]);
  expect([tagged?.barred, confidenceOf([tagged!])]).toEqual(["answers only when a tag names it", 0]);
  const best = { name: "architect", evidence: 25, score: 25, because: [] } as const;
  expect(confidenceOf([best, { ...best, barred: "no" }]), "who is barred is no rival").toBe(1);
});

it("has four bands, and an agent may want to be surer than they are", () => {
  expect([0.9, 0.89, 0.75, 0.74, 0.5, 0.49].map((each) => bandOf(each))).toEqual([
    "execute",
    "log",
    "log",
    "confirm",
    "confirm",
    "reject",
  ]);
  expect([bandOf(0.85, 0.95), bandOf(0.95, 0.95), bandOf(0.3, 0.95)]).toEqual(["confirm", "execute", "reject"]);
});

it("is never sure of one of two that fit equally well, and reads no more of a long text than its beginning", () => {
  const equal = (name: "tester" | "inspector") => ({ name, evidence: 100, score: 100, because: [] });
  expect(bandOf(confidenceOf([equal("tester"), equal("inspector")]))).toBe("confirm");
  expect(classifyText(`where is it? ${"x".repeat(1_000_000)}`).intent).toBe("check");
  expect(classifyText(`${"x ".repeat(2_000)}where is it?`), "its beginning alone is read").toMatchObject({
    intent: "unknown",
    words: new Set(["x"]),
  });
});
