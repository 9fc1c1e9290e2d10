import { expect, it } from "vitest";
import { exampleLine } from "./example-line.ts";

const flagOf = (field: string): string | undefined => ({ dueAt: "due-at", all: "all", to: "to" })[field];

it("writes plain arguments first and in their order, then flags", () => {
  const line = exampleLine(
    { dueAt: 5, title: "Two words", id: "wrk_1" },
    { words: "work", fields: ["id", "title"], flagOf },
  );
  expect(line).toBe('sylk work wrk_1 "Two words" --due-at 5');
});

it("repeats a flag for each item of a list, and writes a switch without a value", () => {
  const line = exampleLine({ to: ["heron", "a*"], all: true }, { words: "mail send", fields: [], flagOf });
  expect(line).toBe('sylk mail send --to heron --to "a*" --all');
});

it("leaves out switches that are off and fields that cannot be typed", () => {
  expect(exampleLine({ all: false, project: { path: "/a" } }, { words: "runs", fields: [], flagOf })).toBe("sylk runs");
});
