import { describe, expect, it } from "vitest";
import { glob, InvalidPattern, literal, normalizePath } from "./index.ts";

function refusal(attempt: () => unknown): InvalidPattern {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidPattern);
    return error as InvalidPattern;
  }
  throw new Error("was accepted");
}

describe("globs", () => {
  it.each([
    ["", 0, "write ** for every file"],
    ["!src/**", 0, "write \\!"],
    ["{!a,b}", 1, "negation"],
    ["a/+(b|c)", 2, "write {a,b}"],
    ["@(a)", 0, "extended"],
    ["a?(b)", 1, "extended"],
    ["*(a)", 0, "extended"],
    ["a!(b)", 1, "extended"],
    ["/etc/passwd", 0, "drop the leading slash"],
    ["{a,/b}", 3, "drop the leading slash"],
    ["../a", 1, "from the root"],
    ["a/../b", 3, "from the root"],
    ["./a", 0, "from the root"],
    ["a/.", 2, "from the root"],
    ["a/{b,..}/c", 7, "from the root"],
    ["\\.\\./a", 3, "from the root"],
    ["a//b", 2, "single slash"],
    ["a/{b,/c}", 5, "single slash"],
    ["a/", 1, "a/**"],
    ["a/{b,}", 5, "a/**"],
    ["{a,}", 0, "every alternative"],
    ["a\0", 1, "control character"],
    ["a\u007f", 1, "control character"],
    ["a\nb", 1, "control character"],
    ["a\ud800", 1, "well-formed"],
    ["[ab", 0, "write \\["],
    ["a]", 1, "write \\]"],
    ["a/{b,c", 2, "write \\{"],
    ["{a,{b,c}", 0, "write \\{"],
    ["a}", 1, "write \\}"],
    ["{a}", 0, "need a comma"],
    ["{1..3}", 0, "need a comma"],
    ["[]", 0, "empty"],
    ["[!]", 0, "empty"],
    ["[z-a]", 1, "backwards"],
    ["[a-c-e]", 4, "write \\-"],
    ["[[:alpha:]]", 1, "named classes"],
    ["[a/b]", 2, "never matches /"],
    ["[\u0301]", 1, "combining mark"],
    ["a**", 1, "whole segment"],
    ["**a", 2, "whole segment"],
    ["a/**b/c", 4, "whole segment"],
    ["{a,b}**", 5, "whole segment"],
    ["**{/a,b}", 6, "whole segment"],
    ["{*,a}*", 5, "whole segment"],
    ["a***", 1, "at most two stars"],
    ["*\u0301", 1, "must follow its letter"],
    ["e{\u0301,x}", 2, "must follow its letter"],
    ["a\\", 1, "write \\\\"],
    ["src\\app\\x", 3, "separate segments by /"],
    ["a\\/b", 1, "separate segments by /"],
    ["[.]", 0, "no path can match"],
    ["a/[.]{,[.]}", 0, "no path can match"],
  ])("refuses %j, says where and names the way out [RSV-2]", (text, position, advice) => {
    const error = refusal(() => glob(text));
    expect(error).toMatchObject({ name: "InvalidPattern", source: text, position });
    expect(error.reason).toContain(advice);
    expect(error.message).toContain(error.reason);
  });

  it("refuses a glob over 1024 characters, and one with stars over 512", () => {
    expect(glob("a".repeat(1024)).kind).toBe("glob");
    expect(refusal(() => glob("a".repeat(1025))).reason).toContain("longer than 1024");
    expect(refusal(() => glob("\u0958".repeat(600))).reason).toContain("longer than 1024");
    expect(refusal(() => glob("*a".repeat(300))).reason).toContain("split it");
  });

  it("refuses more than 256 alternatives, nested or in a row", () => {
    const nested = (depth: number) => `${"{a,".repeat(depth)}b${"}".repeat(depth)}`;
    expect([glob(nested(200)).kind, glob("{a,b}".repeat(8)).kind]).toEqual(["glob", "glob"]);
    expect(refusal(() => glob("{a,b}".repeat(9)))).toMatchObject({ position: 40 });
    expect(refusal(() => glob(`{a,b}${nested(150)}`)).reason).toContain("256 alternatives");
  });

  it("keeps the message short and free of control characters", () => {
    const { message } = refusal(() => glob(`\u001b[2J${"x".repeat(900)}`));
    expect(message).toMatch(/^[^\p{Cc}]{1,220}$/u);
  });
});

describe("literal paths", () => {
  it.each([
    ["", 0],
    ["/a", 0],
    ["a/", 1],
    ["a//b", 2],
    [".", 0],
    ["a/./b", 2],
    ["a/..", 3],
    ["a\0b", 1],
    ["a\tb", 1],
    ["\udc00", 0],
    ["x".repeat(1025), 1024],
  ])("refuses %j, which no file in a repository is called", (path, position) => {
    expect(refusal(() => literal(path))).toMatchObject({ position });
    expect(refusal(() => normalizePath(path))).toMatchObject({ position });
  });

  it("accepts glob characters, backslashes and dots in names, and returns NFC", () => {
    for (const path of ["[id]", "{a}", "!a", "a**", "a\\b", "...", ".a", "a..", "\u0301x"])
      expect(normalizePath(path)).toBe(path);
    expect(normalizePath("cafe\u0301")).toBe("caf\u00e9");
  });
});
