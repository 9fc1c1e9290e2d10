import { expect, it } from "vitest";
import { mergeHandlers } from "./merge-handlers.ts";

const list = async () => ({ items: [] });
const show = async () => ({ run: 1 });

it("answers each operation by the handler of its feature", () => {
  expect(mergeHandlers({ "run.list": list }, { "run.get": show })).toEqual({ "run.list": list, "run.get": show });
});

it("refuses an operation that two features handle, and names it [CORE-35]", () => {
  expect(() => mergeHandlers({ "run.list": list }, { "run.get": show }, { "run.list": list })).toThrow(
    "two handlers are wired for the operation run.list",
  );
});
