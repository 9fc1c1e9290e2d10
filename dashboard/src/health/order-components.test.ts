import { expect, it } from "vitest";
import { orderComponents } from "./order-components.ts";

it("puts what fails or runs unprotected first, then orders by kind and name", () => {
  const one = (name: string, trouble = {}) => ({
    kind: "hook",
    name,
    failures: 0,
    timeouts: 0,
    degraded: 0,
    unguarded: 0,
    ...trouble,
  });
  const ordered = orderComponents([one("b"), one("a"), one("slow", { timeouts: 2 }), one("open", { unguarded: 5 })]);
  expect(ordered.map(({ name }) => name)).toEqual(["open", "slow", "a", "b"]);
});
