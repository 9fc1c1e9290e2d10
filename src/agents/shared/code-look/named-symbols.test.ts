import { expect, it } from "vitest";
import { symbolsNamedIn } from "./named-symbols.ts";

it.each([
  ["where is parsedate_tz defined?", ["parsedate_tz"]],
  ["Where is the total defined?", ["total"]],
  ["where is the class Cart declared", ["Cart"]],
  ["what does `Cart.total()` return?", ["total"]],
  ["who calls priceOf and openTill()?", ["priceOf", "openTill"]],
  ["explain HttpClient", ["HttpClient"]],
  ["where are prices rounded?", []],
  ["how is a lease kept?", []],
  ["`a b` `../x` ``", []],
])("%s", (question, names) => {
  expect([...symbolsNamedIn(question)].toSorted()).toEqual([...names].toSorted());
});
