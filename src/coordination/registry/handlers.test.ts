import { expect, it } from "vitest";
import { scratchPorts } from "../testkit.ts";
import { registryHandlers } from "./handlers.ts";

it("reminds a holder before it counts, so that a heartbeat's counts include the reminder", async () => {
  using ports = scratchPorts();
  const { caller } = await ports.caller("heron");
  let notices = 0;
  const handlers = registryHandlers({
    ...ports,
    remindHolder: async ({ id }) => void (notices += id === caller.agent.id ? 1 : 0),
    pendingFor: async () => ({ mail: 0, notices, blockingFindings: 0 }),
  });
  const { pending } = await handlers["agent.heartbeat"](
    { id: caller.agent.id },
    { caller, transact: ports.store.transact },
  );
  expect(pending).toEqual({ mail: 0, notices: 1, blockingFindings: 0 });
});
