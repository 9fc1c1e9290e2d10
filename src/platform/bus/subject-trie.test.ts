import { describe, expect, it } from "vitest";
import { createSubjectTrie, InvalidSubject } from "./subject-trie.ts";

function waiting(subject: string, ...patterns: string[]): string[] {
  const trie = createSubjectTrie<string>();
  for (const pattern of patterns) trie.add(pattern, pattern);
  return [...trie.match(subject).subscribers].sort();
}

describe("wildcards", () => {
  it("finds exactly the patterns that fit a subject", () => {
    const patterns = [
      "a.b.c",
      "a.b",
      "a.*.c",
      "a.*",
      "*.*.*",
      "**",
      "a.**",
      "**.c",
      "a.**.c",
      "a.b.c.**",
      "**.b.**",
      "x.**",
    ];
    expect(waiting("a.b.c", ...patterns)).toEqual([
      "**",
      "**.b.**",
      "**.c",
      "*.*.*",
      "a.**",
      "a.**.c",
      "a.*.c",
      "a.b.c",
    ]);
  });

  it("takes one segment for * and at least one for **", () => {
    expect(waiting("session.s1.status", "session.*.status", "session.*", "session.**")).toEqual([
      "session.**",
      "session.*.status",
    ]);
    expect(waiting("session", "session.**", "**.session", "*", "**")).toEqual(["*", "**"]);
    expect(waiting("a.b", "**.**", "*.**", "**.**.**")).toEqual(["**.**", "*.**"]);
  });

  it("treats words that JavaScript objects know as plain words", () => {
    expect(waiting("__proto__.constructor", "__proto__.constructor", "a.b")).toEqual(["__proto__.constructor"]);
    expect(waiting("constructor", "toString")).toEqual([]);
  });
});

describe("subscribers", () => {
  it("finds a subscriber once although its pattern fits in several ways", () => {
    const trie = createSubjectTrie<string>();
    trie.add("**.a.**", "otter");
    trie.add("**", "otter");
    expect([...trie.match("a.a.a.a.a").subscribers]).toEqual(["otter"]);
  });

  it("keeps the other subscribers of a pattern when one leaves", () => {
    const trie = createSubjectTrie<string>();
    expect([trie.add("a.*", "otter"), trie.add("a.*", "heron"), trie.add("a.*", "otter")]).toEqual([true, true, false]);
    expect([trie.remove("a.*", "otter"), trie.remove("a.*", "otter"), trie.remove("a.b", "heron")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([...trie.match("a.b").subscribers]).toEqual(["heron"]);
  });

  it("prunes a branch back to the last node that is still needed", () => {
    const trie = createSubjectTrie<string>();
    trie.add("a.b", "otter");
    trie.add("a.b.c.d", "heron");
    expect(trie.nodeCount).toBe(4);
    trie.remove("a.b.c.d", "heron");
    expect(trie.nodeCount).toBe(2);
    trie.remove("a.b", "otter");
    expect(trie.nodeCount).toBe(0);
  });
});

describe("cost", () => {
  const depths = [1, 2, 4, 8, 16, 32];
  const subjectOf = (depth: number) => Array.from({ length: depth }, (_, i) => `s${i}`).join(".");

  /** One subscriber on each prefix of the longest subject, plus `crowd` others beside and behind them. */
  function crowdedTrie(crowd: number) {
    const trie = createSubjectTrie<number>();
    for (const depth of depths) trie.add(`${subjectOf(depth)}.**`, depth);
    for (let i = 0; i < crowd; i++) {
      trie.add(`other${i}.s1.*`, i);
      trie.add(`s0.other${i}.**`, i);
      trie.add("elsewhere.**", i);
      trie.add("s0.*.deep.**", i);
    }
    return trie;
  }

  it("visits as many nodes among 40,000 subscriptions as among 40 [BUS-8]", () => {
    const few = crowdedTrie(10);
    const many = crowdedTrie(10_000);
    for (const depth of depths) expect(many.match(subjectOf(depth)).visited).toBe(few.match(subjectOf(depth)).visited);
  });

  it("visits a number of nodes that grows with the depth of the subject [BUS-8]", () => {
    const trie = createSubjectTrie<string>();
    for (const pattern of [subjectOf(32), "**", "*.**", "s0.**"]) trie.add(pattern, pattern);
    for (const depth of depths) expect(trie.match(subjectOf(depth)).visited).toBe(4 * depth);
  });

  it("enters a node once per segment although ** after ** could take it in many ways [BUS-8]", () => {
    const trie = createSubjectTrie<string>();
    trie.add("**.**.**.**.**.**.**.**", "otter");
    for (const depth of depths) expect(trie.match(subjectOf(depth)).visited).toBeLessThanOrEqual(1 + 8 * depth);
  });
});

describe("refusals", () => {
  const trie = createSubjectTrie<string>();

  it.each([
    ["", 0, "empty"],
    ["a..b", 2, "empty"],
    ["a.", 2, "empty"],
    [".a", 0, "empty"],
    ["a.b c", 3, "letters"],
    ["a.ü", 2, "letters"],
    ["a\n", 1, "letters"],
    ["a.*", 2, "wildcards"],
    ["**", 0, "wildcards"],
  ])("refuses to publish to %j and says where it is wrong", (subject, position, reason) => {
    expect(refusal(() => trie.match(subject))).toMatchObject({
      subject,
      position,
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ["a.b*", 3, "stand alone"],
    ["***", 0, "stand alone"],
    ["a.**b", 2, "stand alone"],
    ["a..*", 2, "empty"],
    ["a.>", 2, "letters"],
  ])("refuses the pattern %j and leaves the trie as it was", (pattern, position, reason) => {
    expect(refusal(() => trie.add(pattern, "otter"))).toMatchObject({
      position,
      reason: expect.stringContaining(reason),
    });
    expect(refusal(() => trie.remove(pattern, "otter"))).toMatchObject({ position });
    expect(trie.nodeCount).toBe(0);
  });

  function refusal(attempt: () => unknown): InvalidSubject {
    try {
      attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSubject);
      return error as InvalidSubject;
    }
    throw new Error("was accepted");
  }
});
