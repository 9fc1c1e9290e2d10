import { expect, expectTypeOf, it } from "vitest";
import { defined } from "./defined.ts";

it("leaves out undefined fields and keeps every other value", () => {
  const kept = defined({ id: 1, none: undefined, empty: "", zero: 0, off: false, nothing: null });
  expect(Object.keys(kept)).toEqual(["id", "empty", "zero", "off", "nothing"]);
});

it("types a field that may be undefined as one that may be absent", () => {
  const read = (reason: string | undefined) => defined({ id: 1, reason });
  expectTypeOf(read).returns.toEqualTypeOf<{ id: number } & { reason?: string }>();
});
