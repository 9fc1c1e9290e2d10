import { expect, it } from "vitest";
import { scratchPorts } from "../testkit.ts";
import { presenceHandlers } from "./handlers.ts";
import { createLatestActivity } from "./latest-activity.ts";
import { createTreeChanges } from "./tree-changes.ts";

it("says why agents are not kept apart, and nothing while they are", async () => {
  using ports = scratchPorts();
  const call = await ports.caller("heron");
  let why: string | undefined = "The disk is full";
  const handlers = presenceHandlers({
    ...ports,
    whyNotEnforced: async () => why,
    shellOf: async () => ({ shell: "enforced" }),
    guardOf: async () => ({ guard: "guarded" }),
    notInstalled: () => [],
    terminalsOf: async () => new Map(),
    titleOfNode: async () => undefined,
    activity: createLatestActivity({ bus: ports.bus, events: ports.store.reader.events }),
    changes: createTreeChanges({ read: async () => new Map(), clock: ports.clock }),
  });
  expect(await handlers["agent.list"]({ limit: 10 }, call)).toMatchObject({
    items: [{ name: "heron" }],
    notEnforced: "The disk is full",
  });
  why = undefined;
  expect(await handlers["agent.list"]({ limit: 10 }, call)).not.toHaveProperty("notEnforced");
});
