/** Every operation of the OpenAPI document, called with inputs made from the document. `npm run campaign:fuzz` does it for longer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { allOperations } from "../../src/contract/index.ts";
import { sumOf } from "./figures.ts";
import { operationsOf } from "./documented-operations.ts";
import { fuzzOperations } from "./fuzz-operations.ts";
import { openFuzzWorld, type FuzzWorld } from "./fuzz-world.ts";

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it("answers whatever is sent with success or a declared, typed error, and changes nothing by a refusal [CORE-22]", async () => {
  const figures = await fuzzOperations(world, { cases: 2_200, seed: 1118 });
  expect(figures.problems).toEqual([]);
  expect(new Set(figures.by.keys())).toEqual(new Set(allOperations().map(({ name }) => name)));
  expect(sumOf(figures, "accepted"), "enough of it was good").toBeGreaterThan(400);
  expect(sumOf(figures, "refused")).toBeGreaterThan(800);
  expect(figures.overHttp).toBeGreaterThan(200);
});

it("would notice a change, a defect and an error that is not declared [CORE-22]", async () => {
  const named = operationsOf(world).find(({ name }) => name === "work-item.create")!;
  const spied = {
    ...world,
    document: { paths: { [named.path]: { post: world.document.paths[named.path]!.post! } } },
  };
  const changing: FuzzWorld = {
    ...spied,
    dispatch: async (name, input, caller) => {
      await world.dispatch("work-item.create", { title: "Behind the back" }, world.callers.agent);
      return world.dispatch(name, input, caller);
    },
  };
  const failing: FuzzWorld = { ...spied, dispatch: () => Promise.reject(new TypeError("x is not a function")) };
  const document = structuredClone(spied.document) as { paths: Record<string, Record<string, { responses: object }>> };
  document.paths[named.path]!.post!.responses = { "200": {} };
  const undeclared: FuzzWorld = { ...spied, document: document as FuzzWorld["document"] };
  for (const [kind, broken] of Object.entries({ changed: changing, defect: failing, undeclared })) {
    const { problems } = await fuzzOperations(broken, { cases: 60, seed: 3 });
    expect(new Set(problems.map((problem) => problem.kind)), kind).toContain(kind);
  }
});
