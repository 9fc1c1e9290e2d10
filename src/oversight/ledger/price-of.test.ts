import { expect, it } from "vitest";
import { listedPrices } from "./listed-prices.ts";
import { createPricing, type Price, type PriceLists } from "./price-of.ts";
import { readPrices } from "./read-prices.ts";
import type { UsageRecord } from "./usage-record.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const call: UsageRecord = {
  key: "k",
  client: "claude-code",
  session: "s",
  agent: undefined,
  model: "model-a-2026",
  at: day("2026-03-01"),
  input: 1_000_000,
  output: 100_000,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: undefined,
  context: undefined,
};
const price = (model: string, from: string, perMillion: Price["perMillion"]): Price => ({
  model,
  from: day(from),
  perMillion,
  source: "a page",
});
const priceOf = (record: UsageRecord, lists: PriceLists): number | undefined => createPricing(lists)(record)?.usd;
const listed = [
  price("model-a*", "2026-01-01", { input: 2, output: 10 }),
  price("model-a*", "2026-02-01", { input: 1, output: 10 }),
];

it("takes the price that counted on the day of the call, and no price before the first one [COST-8]", () => {
  expect(priceOf(call, [listed])).toBe(2);
  expect(priceOf({ ...call, at: day("2026-01-15") }, [listed])).toBe(3);
  expect(priceOf({ ...call, at: day("2025-12-31") }, [listed])).toBeUndefined();
});

it("lets the user's prices go first, model by model [COST-8]", () => {
  const own = [price("model-a-2026", "2026-01-01", { input: 7, output: 0 })];
  expect(priceOf(call, [own, listed])).toBe(7);
  expect(priceOf({ ...call, model: "model-a-2027" }, [own, listed])).toBe(2);
});

it("shows no money for an unknown model, an unknown count or a part without a price [COST-8]", () => {
  expect(priceOf({ ...call, model: "model-b" }, [listed])).toBeUndefined();
  expect(priceOf({ ...call, model: undefined }, [listed])).toBeUndefined();
  expect(priceOf({ ...call, input: undefined }, [listed])).toBeUndefined();
  expect(priceOf({ ...call, cacheRead: 1 }, [listed])).toBeUndefined();
});

it("prices what is cached for an hour on its own [COST-8]", () => {
  const prices = [price("model-a*", "2026-01-01", { input: 0, output: 0, cacheWrite: 2, cacheWriteLong: 4 })];
  expect(priceOf({ ...call, cacheWrite: 1_000_000, cacheWriteLong: 500_000 }, [prices])).toBe(3);
});

it("shows no money above the context a price is for, or where the context is unknown [COST-8]", () => {
  const [first] = listed;
  const small = [{ ...first!, mostContext: 200_000 }];
  expect(priceOf({ ...call, context: 200_000 }, [small])).toBe(3);
  expect(priceOf({ ...call, context: 200_001 }, [small])).toBeUndefined();
  expect(priceOf(call, [small])).toBeUndefined();
});

it("names page and day of every price it lists [COST-8]", () => {
  for (const { model, source, from } of listedPrices) {
    expect(source, model).toMatch(/\S+, read 20\d\d-\d\d-\d\d$/);
    expect(from, model).toBeGreaterThan(day("2025-01-01"));
  }
});

it("reads a price file, and says what is wrong with one [COST-8]", async () => {
  const good = "- { model: my-model, from: 2026-01-31, input: 1.5, output: 6 }\n";
  expect(await readPrices(good, "prices.yaml")).toMatchObject([
    { model: "my-model", from: day("2026-01-31"), perMillion: { input: 1.5, output: 6 } },
  ]);
  expect(await readPrices("", "prices.yaml")).toEqual([]);
  for (const bad of [
    "- { model: x }",
    "- { model: x, from: soon }",
    "- { model: x, from: 2026-01-31, input: -1 }",
    "{",
    "a: b",
    "- &a [*a]",
  ])
    await expect(readPrices(bad, "prices.yaml")).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining("prices.yaml") as string,
    });
});
