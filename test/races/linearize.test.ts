/** The checker is worth what it refuses: histories that no single thread can have produced, and none that one can. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaimCall, claimModel } from "./claim-model.ts";
import { linearize } from "./linearize.ts";
import { numberGrants, type ReserveCall, reserveModel } from "./reserve-model.ts";

type Untimed<Call> = Call extends unknown ? Omit<Call, "calledAt" | "answeredAt"> : never;

/** `[from, to]` are the instants of call and answer. */
function at<Call>(from: number, to: number, call: Untimed<Call>): Call {
  return { calledAt: from, answeredAt: to, ...call } as Call;
}
const claim = (from: number, to: number, call: Untimed<ClaimCall>): ClaimCall => at<ClaimCall>(from, to, call);
const reserve = (from: number, to: number, call: Untimed<ReserveCall>): ReserveCall => at<ReserveCall>(from, to, call);
const isLegalItem = (...calls: ClaimCall[]): boolean => linearize(calls, claimModel).ok;
const isLegalPath = (...calls: ReserveCall[]): boolean => linearize(numberGrants(calls), reserveModel).ok;

const heronWins = claim(0, 10, { agent: "heron", do: "claim", said: { token: 1 } });
const heronHolds = reserve(0, 10, {
  agent: "heron",
  do: "acquire",
  mode: "exclusive",
  said: { id: "r1", token: 5, mode: "exclusive" },
});

describe("a work item's history", () => {
  it("is refused when two win at once", () => {
    expect(isLegalItem(heronWins, claim(0, 10, { agent: "otter", do: "claim", said: { token: 1 } }))).toBe(false);
    expect(isLegalItem(heronWins, claim(0, 10, { agent: "otter", do: "claim", said: { token: 2 } }))).toBe(false);
  });

  it("is refused when a client reads what was over before the question", () => {
    const late = { agent: "otter", do: "read", said: { status: "open" } } as const;
    expect(isLegalItem(heronWins, claim(11, 12, late))).toBe(false);
    expect(isLegalItem(heronWins, claim(9, 12, late))).toBe(true);
  });

  it("is refused when a token goes back, or skips one", () => {
    const released = claim(11, 12, { agent: "heron", do: "release", said: "done" });
    const again = (token: number): ClaimCall => claim(13, 14, { agent: "otter", do: "claim", said: { token } });
    expect([1, 2, 3].map((token) => isLegalItem(heronWins, released, again(token)))).toEqual([false, true, false]);
  });

  it("is refused when a release is lost, or a stranger's goes through", () => {
    const released = claim(11, 12, { agent: "heron", do: "release", said: "done" });
    const refused = claim(13, 14, { agent: "otter", do: "claim", said: { holder: "heron" } });
    expect(isLegalItem(heronWins, released, refused)).toBe(false);
    expect(isLegalItem(heronWins, claim(11, 12, { agent: "otter", do: "release", said: "done" }))).toBe(false);
    expect(isLegalItem(heronWins, claim(11, 12, { agent: "heron", do: "unclaim", said: "lost" }))).toBe(false);
  });

  it("is refused when a closed item is won, or the wrong holder is named", () => {
    const closed = claim(11, 12, { agent: "heron", do: "close", said: "done" });
    const won = claim(13, 14, { agent: "otter", do: "claim", said: { token: 2 } });
    expect(isLegalItem(heronWins, closed, won)).toBe(false);
    expect(isLegalItem(heronWins, claim(13, 14, { agent: "otter", do: "claim", said: { holder: "newt" } }))).toBe(
      false,
    );
  });

  it("says where it stops making sense", () => {
    const wrong = claim(20, 21, { agent: "otter", do: "claim", said: { token: 7 } });
    const verdict = linearize([heronWins, wrong], claimModel);
    expect(verdict).toEqual({ ok: false, order: [heronWins], state: "in_progress heron 1", stuckAt: [wrong] });
  });
});

describe("a path's history", () => {
  const otterHolds = (from: number, token: number): ReserveCall =>
    reserve(from, from + 1, {
      agent: "otter",
      do: "acquire",
      mode: "exclusive",
      said: { id: "r2", token, mode: "exclusive" },
    });
  const heronFrees = reserve(11, 12, { agent: "heron", do: "release", id: "r1", said: "done" });

  it("is refused when two hold it alone, or one beside those who share it", () => {
    expect(isLegalPath(heronHolds, otterHolds(11, 6))).toBe(false);
    const shared = (agent: string, id: string, token: number): ReserveCall =>
      reserve(0, 10, { agent, do: "acquire", mode: "shared", said: { id, token, mode: "shared" } });
    expect(isLegalPath(shared("heron", "r1", 5), shared("newt", "r3", 7))).toBe(true);
    expect(isLegalPath(shared("heron", "r1", 5), shared("newt", "r3", 7), otterHolds(11, 8))).toBe(false);
  });

  it("is refused when a token goes back", () => {
    expect([4, 6].map((token) => isLegalPath(heronHolds, heronFrees, otterHolds(13, token)))).toEqual([false, true]);
  });

  it("is refused when a release is lost, or a client renews what was passed on", () => {
    const refused = { agent: "otter", do: "acquire", mode: "shared", said: { holder: "heron" } } as const;
    expect(isLegalPath(heronHolds, heronFrees, reserve(13, 14, refused))).toBe(false);
    const renewed = { agent: "heron", do: "renew", id: "r1", said: { token: 5 } } as const;
    expect(isLegalPath(heronHolds, heronFrees, otterHolds(13, 6), reserve(15, 16, renewed))).toBe(false);
  });

  it("is refused when a check sees what was over before it was asked", () => {
    const taken = { agent: "otter", do: "check", said: { state: "taken", holder: "heron" } } as const;
    expect(isLegalPath(heronHolds, reserve(11, 12, { agent: "otter", do: "check", said: "free" }))).toBe(false);
    expect(isLegalPath(heronHolds, heronFrees, reserve(13, 14, taken))).toBe(false);
    expect(isLegalPath(heronHolds, heronFrees, reserve(9, 14, taken))).toBe(true);
  });
});

const agents = ["heron", "otter", "newt", "wren"] as const;
const spread = fc.nat({ max: 40 });
const step = fc.record({
  agent: fc.constantFrom(...agents),
  do: fc.constantFrom("claim", "release", "unclaim", "close", "read" as const),
  before: spread,
  after: spread,
});

/** Answers as one thread would, call by call; each call's interval then is stretched around its instant. */
function historyOf(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): ClaimCall[] {
  let status: "open" | "in_progress" | "closed" = "open";
  let owner: string | undefined;
  let token = 0;
  return steps.map(({ agent, do: what, before, after }, index) => {
    const [from, to] = [index * 10 - before, index * 10 + after];
    if (what === "read") return claim(from, to, { agent, do: what, said: { status, owner, token } });
    if (what === "claim" || what === "close") {
      if (status === "closed") return claim(from, to, { agent, do: what, said: "closed" });
      if (owner !== undefined && owner !== agent) return claim(from, to, { agent, do: what, said: { holder: owner } });
      if (what === "close") {
        [status, owner] = ["closed", undefined];
        return claim(from, to, { agent, do: what, said: "done" });
      }
      if (owner === undefined) token++;
      [status, owner] = ["in_progress", agent];
      return claim(from, to, { agent, do: what, said: { token } });
    }
    if (owner !== agent) return claim(from, to, { agent, do: what, said: "lost" });
    owner = undefined;
    if (what === "release") status = "open";
    return claim(from, to, { agent, do: what, said: "done" });
  });
}

it("accepts whatever one thread answered, however much the calls overlap", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      expect(linearize(historyOf(steps), claimModel)).toMatchObject({ ok: true });
    }),
  );
});

it("refuses one answer changed in a history without overlaps", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.nat(), (steps, nth) => {
      const calls = historyOf(steps.map((one) => ({ ...one, before: 0, after: 0 })));
      const changed = calls.map((call, index) => (index === nth % calls.length ? withAnotherAnswer(call) : call));
      expect(linearize(changed, claimModel)).toMatchObject({ ok: false });
    }),
  );
});

function withAnotherAnswer(call: ClaimCall): ClaimCall {
  if (call.do === "read") return { ...call, said: { ...call.said, owner: "nobody we know" } };
  if (call.do === "claim") return { ...call, said: { token: 1_000 } };
  if (call.do === "close") return { ...call, said: call.said === "done" ? "closed" : "done" };
  return { ...call, said: call.said === "done" ? "lost" : "done" };
}
