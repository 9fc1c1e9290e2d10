import { expect, it } from "vitest";
import { scratchPorts, type ScratchPorts } from "../testkit.ts";
import { reservationHandlers } from "./handlers.ts";

const wanted = { patterns: [] as string[], mode: "exclusive", scope: "tree", waitMs: 0 } as const;

function handlersOf(ports: ScratchPorts) {
  const progressed: string[] = [];
  const handlers = reservationHandlers({ ...ports, noteProgress: (agent) => void progressed.push(agent) });
  return { handlers, progressed };
}

it("counts a granted reservation as progress of its agent, and a refused one not", async () => {
  using ports = scratchPorts();
  const { handlers, progressed } = handlersOf(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await handlers["reservation.acquire"]({ ...wanted, paths: ["src/a.ts"] }, heron);
  await expect(handlers["reservation.acquire"]({ ...wanted, paths: ["src/a.ts"] }, otter)).rejects.toMatchObject({
    code: "reservation.conflict",
  });
  expect(progressed).toEqual([heron.caller.agent.id]);
});

it("counts a renewal as progress only where its agent changed the file", async () => {
  using ports = scratchPorts();
  const { handlers, progressed } = handlersOf(ports);
  const heron = await ports.caller("heron");
  const { reservation } = await handlers["reservation.acquire"]({ ...wanted, paths: ["src/a.ts"] }, heron);
  progressed.length = 0;
  const { id } = reservation;
  await handlers["reservation.renew"]({ id, changed: false }, heron);
  expect(progressed).toEqual([]);
  await handlers["reservation.renew"]({ id, changed: true }, heron);
  expect(progressed).toEqual([heron.caller.agent.id]);
});
