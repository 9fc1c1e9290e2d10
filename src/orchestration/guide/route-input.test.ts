import { describe, expect, it } from "vitest";
import { routeInput } from "./route-input.ts";

describe("routeInput", () => {
  it.each([
    ["Add discounts", "architect", "Add discounts", "default"],
    ["  Add discounts \n", "architect", "Add discounts", "default"],
    ["@to:architect Add discounts", "architect", "Add discounts", "tag"],
    ["@guide:Librarian where is the cart?", "librarian", "where is the cart?", "tag"],
    ['@to:archivalist "what did we try\nlast week?"', "archivalist", "what did we try\nlast week?", "tag"],
    ["mail bob@to:architect now", "architect", "mail bob@to:architect now", "default"],
  ])("%j goes to %s", (input, to, text, by) => {
    expect(routeInput(input)).toEqual({ to, text, by });
  });

  it.each([
    ["@to:wizard do it", /no agent "wizard".*known: architect/],
    ["@to:engineer do it", /no agent "engineer"/],
    ["@to:architect", /followed by nothing/],
    ['@to:architect   ""', /followed by nothing/],
  ])("%j is refused with what is allowed", (input, message) => {
    expect(() => routeInput(input)).toThrow(
      expect.objectContaining({ code: "input.invalid", message: expect.stringMatching(message) }),
    );
  });
});
