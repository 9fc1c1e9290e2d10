import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompiledPattern, glob, InvalidPattern, literal, matches, overlap } from "./index.ts";

/* The reference: braces written out as text, then backtracking. Shares no idea with the automaton. */

/** `seam` marks where braces were, for whoever wants to know what they put side by side. */
function writeOut(text: string, seam = ""): string[] {
  const open = text.indexOf("{");
  if (open < 0) return [text];
  let depth = 0;
  let start = open + 1;
  const options: string[] = [];
  for (let at = open; ; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}") depth--;
    if (depth === 0 || (depth === 1 && text[at] === ",")) {
      options.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth === 0)
      return options.flatMap((option) => writeOut([text.slice(0, open), option, text.slice(start)].join(seam), seam));
  }
}

function isMalformed(text: string): boolean {
  return writeOut(text).some(hasBadSegment) || writeOut(text, "|").some((each) => /\*\|+\*/.test(each));
}

function hasBadSegment(text: string): boolean {
  return text
    .split("/")
    .some((segment) => ["", ".", ".."].includes(segment) || (segment.includes("**") && segment !== "**"));
}

function segmentFits(wanted: string, name: string): boolean {
  if (wanted === "") return name === "";
  if (wanted[0] === "*")
    return segmentFits(wanted.slice(1), name) || (name !== "" && segmentFits(wanted, name.slice(1)));
  if (name === "") return false;
  const width = wanted[0] === "[" ? wanted.indexOf("]") + 1 : 1;
  const unit = wanted.slice(0, width);
  const inside = unit.startsWith("[!")
    ? !unit.slice(2, -1).includes(name[0] as string)
    : unit.slice(1, -1).includes(name[0] as string);
  return (unit === "?" || unit === name[0] || (width > 1 && inside)) && segmentFits(wanted.slice(width), name.slice(1));
}

function segmentsFit(wanted: readonly string[], names: readonly string[]): boolean {
  const [head, ...rest] = wanted;
  if (head === undefined) return names.length === 0;
  if (head === "**" && rest.length === 0) return names.length > 0;
  if (head === "**") return names.some((_, skipped) => segmentsFit(rest, names.slice(skipped)));
  return names.length > 0 && segmentFits(head, names[0] as string) && segmentsFit(rest, names.slice(1));
}

const fits = (text: string, path: string) =>
  writeOut(text).some((each) => segmentsFit(each.split("/"), path.split("/")));

/* Globs over a, b and dot. `c` in a path stands for every letter that no glob names. */

const atom = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", ".") },
  { weight: 5, arbitrary: fc.constantFrom("*", "?", "[ab]", "[!a]", "[.b]", "[!.]", "[!ab]") },
);
const { text: globText } = fc.letrec<{ text: string; segment: string; unit: string }>((tie) => ({
  text: fc.array(tie("segment"), { minLength: 1, maxLength: 3, size: "max" }).map((segments) => segments.join("/")),
  segment: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.array(tie("unit"), { minLength: 1, maxLength: 3, size: "max" }).map((units) => units.join("")),
    },
    { weight: 2, arbitrary: fc.constant("**") },
  ),
  unit: fc.oneof(
    { depthSize: "small", maxDepth: 2 },
    { weight: 6, arbitrary: atom },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.oneof(tie("text"), fc.constantFrom("", "/", "/**", "**/")), { minLength: 2, maxLength: 3 })
        .map((options) => `{${options.join(",")}}`),
    },
  ),
}));

const isLegal = (path: string) => path.split("/").every((segment) => !["", ".", ".."].includes(segment));
const wordsOf = (length: number): string[] =>
  length === 0 ? [""] : wordsOf(length - 1).flatMap((word) => ["a", "b", "c", ".", "/"].map((letter) => word + letter));
const pathsUpTo = (longest: number) =>
  Array.from({ length: longest }, (_, i) => wordsOf(i + 1))
    .flat()
    .filter(isLegal);

function compile(text: string): CompiledPattern | undefined {
  try {
    return glob(text);
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined;
    throw error;
  }
}
const compiled = globText.map((text) => compile(text)).filter((pattern) => pattern !== undefined);

describe("against brute force", () => {
  const short = pathsUpTo(5);
  const longer = pathsUpTo(6);

  it("matches exactly the paths that a backtracking matcher matches, among all up to five letters [RSV-2]", () => {
    fc.assert(
      fc.property(compiled, (pattern) => {
        for (const path of short)
          if (matches(pattern, path) !== fits(pattern.source, path)) expect.fail(`disagree on ${path}`);
      }),
      { numRuns: 150 },
    );
  });

  it("refuses exactly the globs of which some written-out form is malformed, or which match nothing [RSV-2]", () => {
    fc.assert(
      fc.property(globText, (text) => {
        const fair = !isMalformed(text);
        const pattern = compile(text);
        if (pattern) expect(fair).toBe(true);
        else if (fair) expect(longer.find((path) => fits(text, path))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it("finds a path that both match if and only if there is one, and the shortest [RSV-2]", () => {
    fc.assert(
      fc.property(compiled, compiled, (p, q) => {
        const shared = overlap(p, q);
        if (shared !== undefined)
          expect([isLegal(shared), fits(p.source, shared), fits(q.source, shared)]).toEqual([true, true, true]);
        // `longer` is sorted by length: the first hit is a shortest one.
        const found = longer.find(
          (path) => path.length < (shared?.length ?? Infinity) && fits(p.source, path) && fits(q.source, path),
        );
        expect(found).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });
});

describe("laws", () => {
  it("overlaps the same way round and back, with a witness that both match [RSV-2]", () => {
    fc.assert(
      fc.property(compiled, compiled, (p, q) => {
        const [there, back] = [overlap(p, q), overlap(q, p)];
        expect(there?.length).toBe(back?.length);
        for (const shared of [there, back])
          if (shared !== undefined) expect(matches(p, shared) && matches(q, shared)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("overlaps itself, and ** overlaps everything, because nothing that matches no path is accepted", () => {
    fc.assert(
      fc.property(compiled, (pattern) => {
        expect(overlap(pattern, pattern)).toBeDefined();
        expect(overlap(pattern, glob("**"))).toBeDefined();
      }),
    );
  });

  it("treats a literal path like the glob that spells it, whichever way the question is put [RSV-2]", () => {
    const path = fc.constantFrom(...pathsUpTo(4));
    fc.assert(
      fc.property(compiled, path, path, (pattern, one, other) => {
        expect(overlap(literal(one), pattern)).toBe(overlap(glob(one), pattern));
        expect(overlap(pattern, literal(one))).toBe(matches(pattern, one) ? one : undefined);
        expect(overlap(literal(one), literal(other))).toBe(overlap(glob(one), glob(other)));
      }),
      { numRuns: 500 },
    );
  });

  it("gives a witness that survives normalisation, whatever letters the globs are made of", () => {
    const letter = fc.constantFrom(
      "e",
      "x",
      "\u0301",
      "\u0323",
      "\u00e9",
      "\u1100",
      "\u1161",
      "\u11a8",
      "\uac00",
      "\u212b",
      "*",
      "?",
      "[!e]",
      "[e-\u{1ffff}]",
      "[!!-\u02ff]",
      "/",
    );
    const unruly = fc
      .array(letter, { minLength: 1, maxLength: 6 })
      .map((letters) => compile(letters.join("")))
      .filter((pattern) => pattern !== undefined);
    fc.assert(
      fc.property(unruly, unruly, (p, q) => {
        const shared = overlap(p, q);
        if (shared === undefined) return;
        expect(shared.normalize("NFC")).toBe(shared);
        expect([matches(p, shared), matches(q, shared)]).toEqual([true, true]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("hostile input", () => {
  it("is answered or refused without hanging: stars in a row, deep braces, wide classes, many segments [RSV-2]", () => {
    const marks = "*[!\u0020-\u{2f7ff}]";
    const pairs = [
      ["*a".repeat(255), "*b".repeat(255)],
      [`*${"?".repeat(500)}a`, `*${"?".repeat(500)}b`],
      [`${"**/a/".repeat(100)}x`, `${"**/b/".repeat(100)}y`],
      [`${marks.repeat(100)}1`, `${marks.repeat(100)}2`],
      ["{a,b}".repeat(8), "{*a,*b}".repeat(8)],
    ] as const;
    for (const [a, b] of pairs) expect(overlap(glob(a), glob(b)) === undefined).toBe(a[0] !== "{");
    expect(matches(glob("*a".repeat(255)), "a".repeat(4_000))).toBe(true);
    expect(matches(glob("*a".repeat(255)), `${"a".repeat(4_000)}b`)).toBe(false);
    for (const text of ["{".repeat(1024), "{a,".repeat(341), "[".repeat(1024), "{,}".repeat(341), "(".repeat(1024)])
      compile(text);
  });

  it("never fails in another way than by refusing, on any text", () => {
    const noise = fc.string({ unit: fc.constantFrom(..."ab/.*?[]{}!^-,\\(+@é\u0301".split("")), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: "binary" })), (text) => {
        const pattern = compile(text);
        if (pattern) expect(overlap(pattern, pattern)).toBeDefined();
      }),
      { numRuns: 3_000 },
    );
  });
});
