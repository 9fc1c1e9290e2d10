import { describe, expect, it } from "vitest";
import { glob, InvalidPattern, literal, matches, overlap } from "./index.ts";

describe("a glob", () => {
  it.each([
    ["*", "a .env a.b", "a/b"],
    ["*.ts", "a.ts .ts", "a.tsx b/a.ts"],
    ["a*b", "ab axb a.b", "a/b ba"],
    ["a/*", "a/b a/.b", "a a/b/c b/a"],
    ["?", "a é 😀 -", "aa a/b"],
    ["a?c", "abc a.c", "ac a/c"],
    ["**", "a a/b .env a/.b/c", ""],
    ["a/**", "a/b a/b/c a/.b", "a b/a ab/c"],
    ["**/x", "x a/x a/b/x", "ax a/bx x/a"],
    ["a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb a/b/c a"],
    ["**/a/**", "a/b x/a/b x/y/a/b/c", "a x/a b"],
    ["a/**/**", "a/b a/b/c", "a"],
    ["**/*.ts", "a.ts b/a.ts .ts", "a.tsx a.ts/b"],
    ["{a,b}", "a b", "c ab"],
    ["{a,b/c}/d", "a/d b/c/d", "b/d c/d"],
    ["{a,{b,c{d,e}}}x", "ax bx cdx cex", "cx dx"],
    ["src{,/**}", "src src/a src/a/b", "srca a/src"],
    ["{**/,}x", "x a/x a/b/x", "ax"],
    ["{**,a}/b", "b a/b c/d/b", "ab"],
    ["a{,b,bc}c", "ac abc abcc", "abbc"],
    ["[ab]", "a b", "c ab"],
    ["[a-c]x", "ax cx", "dx x"],
    ["[!a]", "b - é", "a ab"],
    ["[^a-y]", "z A", "b"],
    ["[a-]", "a -", "b"],
    ["[-a]", "a -", "b"],
    ["[+-9]", "+ 5 -", "a"],
    ["[{,}]", "{ , }", "a"],
    ["[\\]\\-x]", "] - x", "\\ a"],
    ["a,b", "a,b", "a b"],
    ["\\*\\?\\[x\\]", "*?[x]", "aa[x] *?x"],
    ["\\{a,b\\}", "{a,b}", "a b"],
    ["a\\\\b", "a\\b", "ab"],
    ["app/(group)/@modal/*.tsx", "app/(group)/@modal/p.tsx", "app/group/@modal/p.tsx"],
    ["a...b/...", "a...b/...", "a..b"],
    ["x!y", "x!y", "y"],
  ])("%s matches what its syntax says and nothing else [RSV-2]", (text, yes, no) => {
    const pattern = glob(text);
    for (const path of words(yes)) expect([path, matches(pattern, path)]).toEqual([path, true]);
    for (const path of words(no)) expect([path, matches(pattern, path)]).toEqual([path, false]);
  });

  it("covers dot files with stars, because protecting more is the safe side", () => {
    expect([matches(glob("*"), ".env"), matches(glob("**/*.json"), ".vscode/settings.json")]).toEqual([true, true]);
  });

  it("never lets a class, a star or a question mark reach into another directory", () => {
    for (const text of ["a?b", "a*b", "a[!x]b", "a[+-9]b"]) expect(matches(glob(text), "a/b")).toBe(false);
  });
});

describe("a literal path", () => {
  it("is a file name, whatever it looks like [RSV-2]", () => {
    const page = literal("src/[id]/page.ts");
    expect([matches(page, "src/[id]/page.ts"), matches(page, "src/i/page.ts")]).toEqual([true, false]);
    expect(overlap(page, glob("src/[id]/page.ts"))).toBeUndefined();
    expect(overlap(page, glob("src/**"))).toBe("src/[id]/page.ts");
    expect(matches(literal("!a/{b,c}*"), "!a/{b,c}*")).toBe(true);
  });

  it("of a directory does not cover what is in it", () => {
    expect(matches(literal("src"), "src/a.ts")).toBe(false);
    expect(overlap(literal("src"), glob("src/**"))).toBeUndefined();
    expect(overlap(literal("src"), literal("src"))).toBe("src");
  });
});

describe("overlap", () => {
  it.each([
    ["src/api/**", "src/**/*.test.ts", true],
    ["src/**/*.ts", "src/**/*.tsx", false],
    ["src/api/**", "src/web/**", false],
    ["src/{api,web}/**", "**/*.css", true],
    ["src/**", "src", false],
    ["src{,/**}", "src", true],
    ["*a", "b*", true],
    ["[a-m]*", "[n-z]*", false],
    ["[!a]", "[!b]", true],
    ["[!a]", "a", false],
    ["a/**/z", "a/*/*/z", true],
    ["a/*/z", "a/*/*/z", false],
    ["**/a/**", "**/b/**", true],
    ["?", "[.]x", false],
    ["[.]*", "?", false],
    [".?", "?.", false],
    [".?", "?[.b]", true],
    [".*/x", "?/x", false],
    ["[.-9]", "?", true],
    ["[.A]", "?", true],
    ["[~-¡]", "[!!-~]", true],
  ])("of %s and %s is %s, with a path that both match [RSV-2]", (a, b, expected) => {
    const [p, q] = [glob(a), glob(b)];
    const shared = overlap(p, q);
    expect(shared !== undefined).toBe(expected);
    expect(overlap(q, p) !== undefined).toBe(expected);
    if (shared !== undefined) expect([matches(p, shared), matches(q, shared)]).toEqual([true, true]);
  });

  it("shows the shortest shared path, in letters a person can read", () => {
    expect(overlap(glob("src/api/*.ts"), glob("**/[!a]?.ts"))).toBe("src/api/ba.ts");
    expect(overlap(glob("[!a-z]*"), glob("?"))).toBe("0");
  });
});

describe("Unicode", () => {
  it("compares composed and decomposed spellings as the same file", () => {
    expect(matches(literal("caf\u00e9"), "cafe\u0301")).toBe(true);
    expect(matches(glob("cafe\u0301*"), "caf\u00e9.md")).toBe(true);
    expect(overlap(literal("e\u0301"), glob("?"))).toBe("\u00e9");
    expect(matches(glob("[e\u0301x]"), "\u00e9")).toBe(true);
  });

  it("finds no path that would fall apart when its letters meet in NFC", () => {
    expect(overlap(glob("e?"), glob("?x\u0301"))).toBeUndefined();
    expect(overlap(glob("*x\u0301"), glob("e*"))).toBe("ex\u0301");
    expect(overlap(glob("[!!-\u02ff]"), glob("[!\u0370-\u{10ffff}]"))).toBe(" ");
    expect(overlap(glob("[!\u0020-\u02ff]"), glob("[!\u0370-\u{10ffff}]"))).toBeUndefined();
  });
});

describe("a path asked about", () => {
  it("is covered by ? and * at any character, by classes only at printable ones that stand alone", () => {
    for (const odd of ["x\u0301", "x\u0007"]) {
      expect(["x?", "x*", "x[!y]", "x[ -\u{1ffff}]"].map((text) => matches(glob(text), odd))).toEqual([
        true,
        true,
        false,
        false,
      ]);
    }
  });

  it("may have a name that cannot be reserved by itself and is still covered by globs", () => {
    expect(matches(glob("src/*"), "src/a\nb")).toBe(true);
    expect(matches(glob("**"), `${"long/".repeat(400)}x`)).toBe(true);
    expect(matches(literal("a"), "a\n")).toBe(false);
  });

  it.each(["", "/a", "a/", "a//b", ".", "./a", "a/../b", "a\0b"])("is refused if no file can have it: %j", (path) => {
    expect(() => matches(glob("**"), path)).toThrow(InvalidPattern);
    expect(() => matches(literal("a"), path)).toThrow(InvalidPattern);
  });
});

it("compiles to frozen values that remember what they are", () => {
  const pattern = glob("a*");
  expect([pattern.kind, pattern.source, Object.isFrozen(pattern)]).toEqual(["glob", "a*", true]);
  expect(literal("a*")).toEqual({ kind: "literal", source: "a*" });
});

function words(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
