import { describe, expect, it } from "vitest";
import { createRedactor } from "../../platform/redact/index.ts";
import { messageOf } from "../guide/testkit.ts";
import { archiveRun, keepMessage } from "./keep-run.ts";
import { nodesOfPlan } from "./run-graph.ts";
import { planOf, scratchRuns } from "./testkit.ts";

const knownKey = "acme-key-0123456789";
const clean = createRedactor(knownKey).value;

describe("what a run leaves to read", () => {
  it("holds each message in the log, without keys", async () => {
    using at = scratchRuns();
    const { id, session } = await at.add();
    await keepMessage(id, messageOf("USER_INPUT", { text: `use ${knownKey}` }), { ...at, clean });
    expect(await at.events("run.message")).toMatchObject([
      { data: { run: id, session, message: { type: "USER_INPUT", payload: { text: "use [redacted]" } } } },
    ]);
    expect(at.bytes()).not.toContain(knownKey);
  });

  it("holds its story in the archive with the work, findings and cost on record; a run that ends again replaces it", async () => {
    using at = scratchRuns();
    const run = await at.add({ cost: { calls: 2, inputTokens: 3, outputTokens: 4, unknownCalls: 0 } });
    const plan = planOf(at.ids, "One");
    const nodes = nodesOfPlan(plan, { after: "nod_plan", approved: true }, at.ids);
    const record = { state: "succeeded", attempt: 2, retries: 1, result: { summary: `knows ${knownKey}` } } as const;
    await at.addGraph(run, nodes, { records: { [plan.nodes[0]!.id]: record } });
    const archive = (status: string) =>
      archiveRun(run.id, { title: "Add prices", content: { status, checks: [] } }, { ...at, clean });
    await archive("unverified");
    await archive("verified");
    const kept = await at.store.reader.archive.list({
      project: run.project,
      sessions: undefined,
      before: undefined,
      limit: 9,
    });
    expect(kept).toMatchObject([
      {
        id: run.id,
        session: run.session,
        category: "workflow",
        title: "Add prices",
        content: {
          status: "verified",
          checks: [],
          nodes: [{ title: "One", round: 0, state: "succeeded", attempt: 2, result: { summary: "knows [redacted]" } }],
          findings: [],
          cost: { calls: 2 },
        },
      },
    ]);
  });
});
