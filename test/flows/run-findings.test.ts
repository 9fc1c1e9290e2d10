/** Engineers and their peers' findings: told at the next tool call, or ended early where the project wants that. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, nodeOf, shopEnv, type Shop } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const passing = 'import { test } from "node:test";\ntest("holds", () => {});\n';
const turns = [
  plan([{ key: "orders" }]),
  ...work("orders", write("test/orders.test.ts", passing), command("node", "--test", "test/orders.test.ts"), {
    reply: [finish("orders hold")],
  }),
];

/** Somebody in the user's own tree has looked at the file that the Engineer is about to write. */
async function findIn(shop: Shop, name: string): Promise<void> {
  const otter = await daemon.register(name, { project: shop.repository });
  await otter.client.call("finding.add", {
    summary: "the last order is dropped",
    severity: "blocking",
    category: "correctness",
    files: [{ path: "test/orders.test.ts", line: 2 }],
  });
}

describe.concurrent("a peer's blocking finding", { timeout: 180_000 }, () => {
  it("reaches the Engineer's model with the result of the tool that touched the file [FIND-3]", async () => {
    const shop = makeQuickShop(daemon);
    await findIn(shop, "teller");
    const { run } = await shop.run([
      turns[0]!,
      ...work("orders", write("test/orders.test.ts", passing), {
        expect: { toolResult: "the last order is dropped" },
        reply: [finish("orders hold, and the finding was read")],
      }),
    ]);
    expect(nodeOf(run, "Node orders").state).toBe("succeeded");
  });

  it("ends its work early where the project's policy says so, and says by what [FIND-3]", async () => {
    const shop = makeQuickShop(daemon);
    mkdirSync(join(shop.repository, ".sylk"), { recursive: true });
    writeFileSync(join(shop.repository, ".sylk", "config.yaml"), "findings:\n  onBlocking: end\n");
    await findIn(shop, "ender");
    const { run } = await shop.run(turns);
    const node = nodeOf(run, "Node orders");
    expect([node.state, JSON.stringify(node)]).toEqual([
      "failed",
      expect.stringMatching(/ended early by a blocking finding: .* by ender at test\/orders\.test\.ts:2/),
    ]);
    expect(run.status).not.toBe("verified");
  });
});
