import { expect, it } from "vitest";
import { add } from "./provider.ts";

const problemsOf = (input: object) =>
  add.input
    .safeParse({ name: "own", model: "m", ...input })
    .error?.issues.map(({ path, message }) => [path[0], message]);

it("an address carries no credentials: it is shown and logged [RUN-8]", () => {
  for (const baseUrl of ["https://ada:pw@models.example/v1", "https://ada@models.example/v1", "http://:pw@127.0.0.1:1"])
    expect(problemsOf({ kind: "openai-compatible", baseUrl })).toEqual([
      ["baseUrl", expect.stringContaining("leave user and password out")],
    ]);
  expect(problemsOf({ kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" })).toBeUndefined();
});

it("a server of no known provider needs an address, and only OpenAI has two protocols [RUN-8]", () => {
  expect(problemsOf({ kind: "openai-compatible" })).toEqual([["baseUrl", expect.stringContaining("say where it is")]]);
  expect(problemsOf({ kind: "anthropic", api: "chat" })).toEqual([["api", expect.stringContaining("only openai")]]);
  expect(problemsOf({ kind: "openai", api: "responses" })).toBeUndefined();
  expect(problemsOf({ kind: "google" })).toBeUndefined();
});
