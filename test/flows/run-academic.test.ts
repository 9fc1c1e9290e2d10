/** What a run's Architect knows of the sources: it asks the Academic through the Guide, and gets claims with their kinds. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

it(
  "the Architect of a run asks the Academic, and its model gets each claim with its kind and place",
  { timeout: 120_000 },
  async () => {
    const shop = makeQuickShop(daemon, {
      "handbook/leases.md": "# Leases\n\nAfter a restart every live lease gets 300 seconds.\n",
    });
    expect((await shop.sylk("research", "add", "handbook")).code).toBe(0);
    const question = "how long does a lease live after a restart?";
    const [proposal] = [plan([{ key: "lease" }])];
    const { run } = await shop.run([
      {
        when: { tool: "propose_plan", turn: 0 },
        reply: [{ tool: "route_to", input: { target: "academic", message: question } }],
      },
      {
        when: { tool: "propose_plan", turn: 1 },
        expect: { toolResult: "quoted: .After a restart every live lease gets 300 seconds[\\s\\S]*leases.md:1-3" },
        reply: [{ tool: "route_to", input: { target: "academic", message: "who feeds the penguins?" } }],
      },
      {
        when: { tool: "propose_plan", turn: 2 },
        expect: { toolResult: "No source says anything about this" },
        reply: proposal.reply,
      },
      ...work("lease", write("src/lease.ts", "export const leaseSeconds = 300;\n"), finish()),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    const { items } = await daemon
      .clientOf({ project: shop.repository })
      .call("event.list", { type: "research.answered", limit: 10 });
    expect(items.map(({ data }) => data)).toMatchObject([
      { question, outcome: "answered", quoted: 1, unsupported: 0 },
      { question: "who feeds the penguins?", outcome: "no-source", quoted: 0 },
    ]);
  },
);
