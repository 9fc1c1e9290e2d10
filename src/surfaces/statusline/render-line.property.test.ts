import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClientInput } from "./client-input.ts";
import type { Coordination } from "./coordination.ts";
import { type Facts, renderLine } from "./render-line.ts";

const agent = (name: string, ...files: string[]) => ({ name, files, workItems: [] });
const calm: Coordination = {
  own: undefined,
  others: [],
  form: "names",
  runs: [],
  incidents: [],
  notInstalled: [],
  unguarded: 0,
  enforced: true,
  changes: [],
};
const run = (request: string) => ({ request, nodes: { total: 5, succeeded: 2 }, budget: 1_000, spent: 620 });
const lineOf = (facts: Partial<Facts>): string =>
  renderLine({ input: readClientInput(""), tree: undefined, work: undefined, coordination: calm, ...facts });

describe("the line", () => {
  it("names a few agents with their files, and counts many [STAT-1]", () => {
    const few = [agent("heron", "src/a.ts", "src/b.ts"), agent("otter")];
    expect(lineOf({ coordination: { ...calm, others: few } })).toBe("sylk heron: src/a.ts +1, otter");
    const many = Array.from({ length: 5 }, (_, index) => agent(`a${index}`, "x", "y"));
    expect(lineOf({ coordination: { ...calm, others: many } })).toBe("sylk 5 agents, 10 files");
  });

  it("turns to numbers while much happens, and adds the last changes in live mode [STAT-2, STAT-5]", () => {
    const others = [agent("heron", "src/a.ts")];
    expect(lineOf({ coordination: { ...calm, others, form: "summary" } })).toBe("sylk 1 agent, 1 file");
    const changes = ["otter reserved 3 files", "heron left"];
    expect(lineOf({ coordination: { ...calm, others, changes } })).toBe(
      "sylk heron: src/a.ts | otter reserved 3 files | heron left",
    );
  });

  it("says own claim, run step, budget, trouble, and what the client told [STAT-1, HLTH-4]", () => {
    const input = readClientInput(
      JSON.stringify({
        model: { display_name: "M" },
        context_window: { used_percentage: 41.6 },
        cost: { total_cost_usd: 1.234 },
      }),
    );
    const coordination: Coordination = {
      ...calm,
      own: { ...agent("me"), workItems: [{ title: "rate limits" }] },
      runs: [run("add tests"), run("other")],
      incidents: ["hooks fail", "another"],
      unguarded: 2,
      enforced: false,
    };
    expect(lineOf({ input, tree: { branch: "main", changed: 0 }, coordination })).toBe(
      "sylk main clean | NOT enforced | no other agents | claimed: rate limits | run: add tests 2/5 +1 | budget 62 % | trouble: hooks fail +1 | 2 calls UNGUARDED | M | context 42 % | $1.23",
    );
  });

  it("never says that no agent is there when it could not ask, and shows what it knows all the same [STAT-4]", () => {
    const tree = { branch: "main", changed: undefined };
    expect(lineOf({ tree, coordination: "no daemon" })).toBe("sylk main | no daemon");
    const work = { tests: "failed", errors: 3, calls: 20 } as const;
    expect(lineOf({ tree, work, coordination: "no daemon", uncounted: 1 })).toBe(
      "sylk main | no daemon | 1 call UNGUARDED | tests failed | 3 of 20 calls failed",
    );
  });

  it("is one short line without control characters, whatever others wrote [STAT-1]", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const others = fc.array(fc.record({ name: text, files: fc.array(text), workItems: fc.constant([]) }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, others, text, fc.oneof(text, fc.json()), (branch, present, words, said) => {
        const coordination = { ...calm, others: present, runs: [run(words)], incidents: [words], changes: [words] };
        const line = lineOf({ input: readClientInput(said), tree: { branch, changed: 1 }, coordination });
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect([...line].length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
