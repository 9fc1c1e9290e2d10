import { expect, it } from "vitest";
import { errorTable } from "./errors.ts";
import { loadOperation } from "./load-operation.ts";
import { allOperations, eventDefinitions, isOperationName, operations } from "./operations.ts";
import { parseInput } from "./parse-input.ts";

const duplicatesIn = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

it.each(allOperations())("understands the example of $name", (operation) => {
  expect(() => parseInput(operation, operation.example)).not.toThrow();
});

it.each(allOperations())("declares for $name only codes of the table, each once", ({ errors }) => {
  expect(errors.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
  expect(duplicatesIn(errors)).toEqual([]);
});

it.each(allOperations())("finds every parameter of the route of $name in its input", ({ path, input }) => {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  expect(parameters.filter((name) => !Object.hasOwn(input.shape, name))).toEqual([]);
});

it("lists each operation under its own name", () => {
  for (const [name, operation] of Object.entries(operations)) expect(operation.name).toBe(name);
});

it("loads each operation alone, the same one that is in the list of all", async () => {
  for (const { name } of allOperations()) expect(await loadOperation(name)).toBe(operations[name]);
});

it("has no name, route or tool name twice", () => {
  const all = allOperations();
  expect(duplicatesIn(all.map(({ name }) => name))).toEqual([]);
  // Parameters do not tell routes apart: `/agents/{id}` and `/agents/{name}` would be one.
  expect(duplicatesIn(all.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`))).toEqual([]);
  expect(duplicatesIn(all.map(({ name, mcp }) => mcp?.name ?? name.replaceAll(/[.-]/g, "_")))).toEqual([]);
});

it("calls an operation a read exactly if its method is GET", () => {
  for (const { method, kind } of allOperations()) expect(kind).toBe(method === "GET" ? "read" : "change");
});

it("knows operations by their own names only", () => {
  expect(isOperationName("agent.register")).toBe(true);
  for (const name of ["agent.unknown", "constructor", "__proto__", ""]) expect(isOperationName(name)).toBe(false);
});

it("defines each event once, under a dotted name that a subject can carry", () => {
  expect(duplicatesIn(eventDefinitions.map(({ type }) => type))).toEqual([]);
  for (const { type, version } of eventDefinitions) {
    expect(type).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    expect(version).toBeGreaterThanOrEqual(1);
  }
});
