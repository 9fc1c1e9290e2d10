import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId, AgentRef } from "../../contract/index.ts";
import { lateMs } from "../guard/index.ts";
import { attribute, type CallOfFamily, type Hold, longestCallMs } from "./attribute.ts";

const names = ["heron", "otter", "lynx", "wren"] as const;
const agentOf = (name: string): AgentRef => ({ id: `agt_${name}` as AgentId, name, client: "other" });
/** lynx is a sub-agent of heron. */
const familyOf = (name: string): AgentId => agentOf(name === "lynx" ? "heron" : name).id;
const path = "src/a.ts";

const calls = fc.array(
  fc
    .record({
      name: fc.constantFrom(...names),
      paths: fc.subarray([path, "src/b.ts"]),
      patterns: fc.subarray(["src/**", "docs/*", "{broken"]),
      unknown: fc.boolean(),
      startedAt: fc.integer({ min: 0, max: 300_000 }),
      lasted: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
    })
    .map(({ name, startedAt, lasted, ...call }): CallOfFamily => ({
      ...call,
      agent: agentOf(name),
      family: familyOf(name),
      startedAt,
      endedAt: lasted === undefined ? undefined : startedAt + lasted,
    })),
  { maxLength: 6 },
);
const holds = fc
  .array(fc.record({ name: fc.constantFrom("heron", "wren"), isTold: fc.boolean() }), { minLength: 1, maxLength: 3 })
  .map((all) => all.map(({ name, isTold }) => ({ holder: agentOf(name), family: familyOf(name), isTold })))
  .map(([first, ...rest]): readonly [Hold, ...Hold[]] => [first!, ...rest]);
const at = fc.integer({ min: 0, max: 500_000 });

const isAround = (now: number, { startedAt, endedAt }: CallOfFamily): boolean =>
  now >= startedAt && now <= (endedAt ?? startedAt + longestCallMs) + lateMs;

it("blames only agents of other families whose call was under way and could have written the file [GIT-10]", () => {
  fc.assert(
    fc.property(at, calls, holds, (now, known, held) => {
      const by = attribute({ path, at: now }, known, held);
      if (by.kind !== "others") return;
      expect(by.agents.length).toBeGreaterThan(0);
      expect(new Set(by.agents.map(({ id }) => id)).size).toBe(by.agents.length);
      for (const { id } of by.agents) {
        expect(held.map(({ family }) => family)).not.toContain(familyOf(id.slice("agt_".length)));
        expect(known.some((call) => call.agent.id === id && isAround(now, call))).toBe(true);
      }
    }),
  );
});

it("takes a write for the holder's own where its session named the file, regardless of which others were at work [GIT-10]", () => {
  fc.assert(
    fc.property(at, calls, holds, fc.constantFrom("own", "sub-agent"), (now, known, held, who) => {
      const [{ holder, family }] = held;
      const agent = who === "own" || holder.name !== "heron" ? holder : agentOf("lynx");
      const own = { agent, family, paths: [path], patterns: [], unknown: false, startedAt: now, endedAt: undefined };
      expect(attribute({ path, at: now }, [...known, own], held)).toEqual({ kind: "own" });
    }),
  );
});

it("leaves a write unattributed only where no call was under way and the holder's writes are told [GIT-10]", () => {
  fc.assert(
    fc.property(at, calls, holds, (now, known, held) => {
      const candidates = known.filter(
        (call) =>
          isAround(now, call) && (call.unknown || call.paths.includes(path) || call.patterns.includes("src/**")),
      );
      const isUnattributed = attribute({ path, at: now }, known, held).kind === "unattributed";
      expect(isUnattributed).toBe(candidates.length === 0 && held.some(({ isTold }) => isTold));
    }),
  );
});

it("prefers the call that named the file to one of which nothing is known [GIT-10]", () => {
  const held = [{ holder: agentOf("heron"), family: familyOf("heron"), isTold: true }] as const;
  const call = { patterns: [], startedAt: 0, endedAt: undefined };
  const vague = { ...call, agent: agentOf("heron"), family: familyOf("heron"), paths: [], unknown: true };
  const exact = { ...call, agent: agentOf("otter"), family: familyOf("otter"), paths: [path], unknown: false };
  expect(attribute({ path, at: 1 }, [vague, exact], held)).toEqual({
    kind: "others",
    agents: [agentOf("otter")],
    named: true,
  });
});
