import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClientInput } from "./client-input.ts";
import { renderLine } from "./render-line.ts";

const nothing = readClientInput("");
const agent = (name: string, ...files: string[]) => ({ name, files, workItems: [] });
const calm = { own: undefined, others: [], runs: [], incidents: 0, enforced: true };

describe("the line", () => {
  it("names a few agents with their files, and counts many", () => {
    const few = [agent("heron", "src/a.ts", "src/b.ts"), agent("otter")];
    expect(renderLine({ input: nothing, tree: undefined, coordination: { ...calm, others: few } })).toBe(
      "sylk heron: src/a.ts +1, otter",
    );
    const many = Array.from({ length: 5 }, (_, index) => agent(`a${index}`, "x", "y"));
    expect(renderLine({ input: nothing, tree: undefined, coordination: { ...calm, others: many } })).toBe(
      "sylk 5 agents, 10 files",
    );
  });

  it("says own claim, run, trouble, and what the client told", () => {
    const input = readClientInput(
      JSON.stringify({
        model: { display_name: "M" },
        context_window: { used_percentage: 41.6 },
        cost: { total_cost_usd: 1.234 },
      }),
    );
    const own = { ...agent("me"), workItems: [{ title: "rate limits" }] };
    const coordination = {
      ...calm,
      own,
      runs: [{ request: "add tests", status: "running" }],
      incidents: 2,
      enforced: false,
    };
    expect(renderLine({ input, tree: { branch: "main", changed: 0 }, coordination })).toBe(
      "sylk main clean | NOT enforced | no other agents | claimed: rate limits | run: add tests | 2 unresolved incidents | M | context 42 % | $1.23",
    );
  });

  it("never says that nobody is there when it could not ask", () => {
    expect(
      renderLine({ input: nothing, tree: { branch: "main", changed: undefined }, coordination: "no daemon" }),
    ).toBe("sylk main | no daemon");
  });

  it("is one short line without control characters, whatever others wrote", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const others = fc.array(fc.record({ name: text, files: fc.array(text), workItems: fc.constant([]) }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, others, text, fc.oneof(text, fc.json()), (branch, present, request, said) => {
        const coordination = { ...calm, others: present, runs: [{ request, status: "running" }] };
        const line = renderLine({ input: readClientInput(said), tree: { branch, changed: 1 }, coordination });
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect([...line].length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
