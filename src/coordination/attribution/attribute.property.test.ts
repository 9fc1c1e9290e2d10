import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId, AgentRef } from "../../contract/index.ts";
import { lateMs, type ToolCall } from "../guard/index.ts";
import { attribute, endlessMs } from "./attribute.ts";
import { likelyWriter } from "./likely-writer.ts";

const agentOf = (name: string): AgentRef => ({ id: `agt_${name}` as AgentId, name, client: "other" });
const path = "src/a.ts";
const callOf = (name: string, terms: Partial<ToolCall> = {}): ToolCall => ({
  agent: agentOf(name),
  tree: "/t",
  paths: [],
  patterns: [],
  unknown: true,
  startedAt: 0,
  endedAt: undefined,
  endsAreTold: true,
  ...terms,
});

const calls = fc.array(
  fc
    .record({
      name: fc.constantFrom("heron", "otter", "lynx"),
      paths: fc.subarray([path, "src/b.ts"]),
      patterns: fc.subarray(["src/**", "docs/*", "{broken"]),
      unknown: fc.boolean(),
      startedAt: fc.integer({ min: 0, max: 300_000 }),
      lasted: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
      endsAreTold: fc.boolean(),
    })
    .map(({ name, lasted, ...terms }) =>
      callOf(name, { ...terms, endedAt: lasted === undefined ? undefined : terms.startedAt + lasted }),
    ),
  { maxLength: 6 },
);
const at = fc.integer({ min: 0, max: 500_000 });
const names = ({ paths, patterns }: ToolCall): boolean => paths.includes(path) || patterns.includes("src/**");
/** When the call is known to be over; undefined: it is not. */
const overAt = ({ startedAt, endedAt, endsAreTold }: ToolCall): number | undefined =>
  endedAt ?? (endsAreTold ? undefined : startedAt + endlessMs);

it("names only calls that could have written the file then, and says truly what that rests on [GIT-10]", () => {
  fc.assert(
    fc.property(at, calls, (now, known) => {
      const { basis, calls: found } = attribute(path, now, known);
      for (const call of found) {
        expect(call.startedAt).toBeLessThanOrEqual(now);
        const over = overAt(call) ?? Infinity;
        if (basis === "named") expect([names(call), now <= over]).toEqual([true, true]);
        if (basis === "under-way")
          expect([call.unknown, now <= over, call.endedAt !== undefined || call.endsAreTold]).toEqual([
            true,
            true,
            true,
          ]);
        if (basis === "time-window") expect([call.unknown, now <= over + lateMs]).toEqual([true, true]);
      }
    }),
    { numRuns: 300 },
  );
});

it("knows of no call only where none was under way or just over, and leaves out none of the best ones [GIT-10]", () => {
  fc.assert(
    fc.property(at, calls, (now, known) => {
      const { basis, calls: found } = attribute(path, now, known);
      const underWay = known.filter((call) => call.startedAt <= now && now <= (overAt(call) ?? Infinity));
      if (basis === "unknown") expect(underWay.filter((call) => call.unknown || names(call))).toEqual([]);
      if (basis === "named") expect(found).toEqual(underWay.filter(names));
    }),
    { numRuns: 300 },
  );
});

it("counts a call as under way until its own end, however long it runs, and one whose client reports no ends for two minutes [GIT-10]", () => {
  const hours = 3 * 3_600_000;
  expect(attribute(path, hours, [callOf("heron")]).basis).toBe("under-way");
  expect(attribute(path, endlessMs, [callOf("heron", { endsAreTold: false })]).basis).toBe("time-window");
  expect(attribute(path, endlessMs + 1, [callOf("heron", { endsAreTold: false })]).basis).toBe("unknown");
  const ended = callOf("heron", { endedAt: 5 });
  expect([5, 6, 5 + lateMs, 6 + lateMs].map((now) => attribute(path, now, [ended]).basis)).toEqual([
    "under-way",
    "time-window",
    "time-window",
    "unknown",
  ]);
});

it("prefers the call that named the file, gives local history one author or none, and keeps its command [GIT-20]", () => {
  const vague = callOf("heron", { command: "Bash: make" });
  const exact = callOf("otter", { paths: [path], unknown: false });
  expect(likelyWriter(path, 1, [vague, exact])).toMatchObject({ knownBy: "named", author: { name: "otter" } });
  expect(likelyWriter(path, 1, [vague])).toMatchObject({ knownBy: "under-way", command: "Bash: make" });
  expect(likelyWriter(path, 1, [vague, callOf("otter")])).toMatchObject({ knownBy: "several", author: undefined });
  // What a call named was read at its end: a later change is another's.
  expect(likelyWriter(path, 6, [{ ...exact, endedAt: 5 }])).toMatchObject({ knownBy: "unknown" });
});
