import { expect, it } from "vitest";
import { operations } from "./operations.ts";
import { parseInput } from "./parse-input.ts";

it.each(["nowhere", "", "http://", "\u{4a972}", "http://[", "//shop.example"])(
  "refuses the address %j by its field's name, and stumbles over none [CORE-22]",
  (baseUrl) => {
    const input = { name: "local", kind: "openai-compatible", model: "m", baseUrl };
    expect(() => parseInput(operations["provider.add"], input)).toThrow(
      expect.objectContaining({ code: "input.invalid", message: expect.stringContaining("baseUrl") }),
    );
  },
);
