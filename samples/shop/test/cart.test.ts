import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.ts";

test("adds up prices by quantity", () => {
  assert.equal(total([{ name: "tea", price: 450, quantity: 2 }, { name: "cup", price: 1200, quantity: 1 }]), 2100);
});

test("costs nothing when empty", () => {
  assert.equal(total([]), 0);
});
