import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./index.ts";

const key = "Zx9-plain+looking/key=with&odd chars";

describe("a known key", () => {
  it("is taken out in every spelling, from the moment it is learned on", () => {
    const redactor = createRedactor();
    const spellings = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
    expect(redactor.text(key)).toBe(key);
    redactor.learn(key, undefined);
    for (const spelling of spellings) expect(redactor.text(`a ${spelling} b`)).toBe("a [redacted] b");
    expect(redactor.learned()).toEqual([key]);
  });

  it.each(["k", "ollama", "lm-studio", "not-needed", "x".repeat(19)])(
    "such as %j is a word that local servers are given, and hides nothing",
    (word) => expect(createRedactor(word).text(`uses ${word} here`)).toBe(`uses ${word} here`),
  );

  it("that is the beginning of another does not leave the rest of it behind", () => {
    const [short, long] = ["acme-key-001", "acme-key-001-and-more"];
    expect(createRedactor(short, long).text(`${long} ${short}`)).toBe("[redacted] [redacted]");
  });

  it("leaves nothing longer than a few letters wherever a text was cut", () => {
    const longKey = "acme-0123456789abcdefghijklmnopqrstuvwxyz";
    const { text } = createRedactor(longKey);
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(longKey.length), fc.boolean(), (before, after, at, head) => {
        const cut = head ? `${before}${longKey.slice(0, at)}` : `${longKey.slice(at)}${after}`;
        const piece = head ? longKey.slice(0, 12) : longKey.slice(-12);
        expect(text(cut)).not.toContain(piece);
      }),
    );
  });
});

describe("a value", () => {
  it("is cleaned in depth, by text, by name and in its names, and otherwise left as it is", () => {
    const { value } = createRedactor(key);
    const given = {
      text: `said ${key}`,
      list: ["plain", { apiKey: "short", fencingToken: "5", count: 3 }],
      [`name with ${key}`]: null,
      when: new Date(0),
    };
    expect(value(given)).toEqual({
      text: "said [redacted]",
      list: ["plain", { apiKey: "[redacted]", fencingToken: "5", count: 3 }],
      "name with [redacted]": null,
      when: new Date(0),
    });
    expect(given.text).toContain(key);
  });

  it("without a secret is the very same value", () => {
    const given = { a: [1, { b: "plain" }], token: "", hasToken: true };
    expect(createRedactor(key).value(given)).toBe(given);
  });
});

it("leaves the name of a credential's variable in its place, and nothing that only begins like one", () => {
  const { value } = createRedactor();
  expect(value({ auth_token: "env:WORK_TOKEN" })).toEqual({ auth_token: "env:WORK_TOKEN" });
  for (const secret of ["env:work", "env:WORK TOKEN", "xenv:WORK", "env:"])
    expect(value({ auth_token: secret })).toEqual({ auth_token: "[redacted]" });
});
