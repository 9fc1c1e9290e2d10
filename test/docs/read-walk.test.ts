import { expect, it } from "vitest";
import { readWalk } from "./read-walk.ts";

it("a walk is what is typed, answered, told and done, in the order of the page", () => {
  const page = [
    "```sh",
    "not part of it",
    "```",
    "```sh walk",
    "npm install",
    "```",
    "<!-- walk: a session begins -->",
    "",
    "```text walk",
    "told",
    "```",
    "```console walk answers=y,edit only=python",
    "$ ask",
    "list",
    "Continue? [y/N] y",
    "The end edit",
    "```",
  ].join("\n");
  expect(readWalk(page)).toMatchObject([
    { kind: "typed", line: 5, command: "npm install", output: undefined, answers: [], only: undefined },
    { kind: "happens", what: "a session begins" },
    { kind: "told", line: 10, text: ["told"] },
    {
      kind: "typed",
      command: "ask",
      only: "python",
      answers: [
        { question: "Continue? [y/N]", answer: "y" },
        { question: "The end", answer: "edit" },
      ],
    },
  ]);
});
