/** The functions of the bench, small: what they cost in changes of the store, whatever the machine. */
import { expect, it } from "vitest";
import { runDurable } from "../../../bench/load/durable-dags.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";

it("a step of a chain is one change of the store, nodes side by side share theirs, and each node has one row", async () => {
  using folder = scratchFolder();
  const chain = await runDurable(folder.path, "chain", 30);
  // One for the beginning, one a step, one for the outcome.
  expect([chain.changes, chain.rows]).toEqual([32, 30]);
  const fan = await runDurable(folder.path, "fan-out", 500);
  expect(fan.changes).toBeLessThan(100);
  expect(fan.rows).toBe(500);
});
