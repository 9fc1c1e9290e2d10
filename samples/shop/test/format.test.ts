import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrice } from "../src/format.ts";

test("shows cents as a price", () => {
  assert.equal(formatPrice(1999), "19.99");
});
