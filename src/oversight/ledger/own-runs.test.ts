import { expect, it } from "vitest";
import type { EventId } from "../../contract/index.ts";
import { spentIn } from "./own-runs.ts";

const event = { id: "evt_1" as EventId, at: 5, subject: "run_1" };
const spent = { session: "ses_1", role: "engineer", node: "nod_1", model: "acme-2" };

it("books what a run's model was sent and answered under its session, role and node", () => {
  const data = { ...spent, cost: { inputTokens: 30, outputTokens: 4, unknownCalls: 0 } };
  expect(spentIn({ ...event, data })).toMatchObject({
    key: "run:evt_1",
    session: "ses_1",
    agent: "run_1/engineer/nod_1",
    input: 30,
    output: 4,
    context: 30,
    cacheRead: undefined,
  });
});

it("leaves tokens unknown where a call did not say them, and names the Guide where no role is named", () => {
  const { role: _role, node: _node, ...guide } = spent;
  const data = { ...guide, cost: { inputTokens: 30, outputTokens: 4, unknownCalls: 1 } };
  expect(spentIn({ ...event, data })).toMatchObject({
    role: "guide",
    agent: "run_1/guide",
    input: undefined,
    output: undefined,
  });
});
