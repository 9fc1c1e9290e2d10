import { expect, it } from "vitest";
import { quoteWord } from "./quote-word.ts";

it("quotes what a shell would read as more than one word", () => {
  expect(["priceOf", "two words", "it's $HOME", ""].map(quoteWord)).toEqual([
    "priceOf",
    "'two words'",
    String.raw`'it'\''s $HOME'`,
    "''",
  ]);
});
