import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { followClaims } from "./follow-claims.ts";

const [heron, otter] = ["agt_heron", "agt_otter"] as [AgentId, AgentId];

it("counts a call to the item that its session had claimed at that time, the latest of several, and else to none", () => {
  const claims = followClaims(
    new Map([
      [heron, "s-heron"],
      [otter, "s-otter"],
    ]),
  );
  const claimed = (subject: string, at: number, id: AgentId): void =>
    claims.take({ type: "work-item.claimed", subject, at, data: { owner: { id } } });
  claimed("one", 10, heron);
  claimed("two", 20, heron);
  claims.take({ type: "work-item.released", subject: "two", at: 30, data: {} });
  claimed("one", 40, otter); // taken over: the first claim is over
  claimed("three", 50, "agt_unknown" as AgentId);
  const workItemOf = claims.workItemOf();
  const at = (session: string, times: readonly (number | undefined)[]) =>
    times.map((time) => workItemOf({ session, at: time }));
  expect(at("s-heron", [9, 10, 20, 29, 30, 39, 40, undefined])).toEqual([
    undefined,
    "one",
    "two",
    "two",
    "one",
    "one",
    undefined,
    undefined,
  ]);
  expect(at("s-otter", [39, 40, 1e15])).toEqual([undefined, "one", "one"]);
  expect(at("s-nobody", [45])).toEqual([undefined]);
});
