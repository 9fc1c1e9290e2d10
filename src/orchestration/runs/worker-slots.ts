/** The slots of the daemon's pool that one worker holds or waits for; they come back with its end. */
import { DomainError, type SessionId } from "../../contract/index.ts";
import type { Lane, Slot } from "../../platform/pool/index.ts";
import type { ToDaemon, ToWorker } from "./worker-protocol.ts";

export type TakeSlot = (job: { readonly group: SessionId; readonly kind: string; readonly lane: Lane }) => Slot;
export type WorkerSlots = {
  grant(
    group: SessionId,
    wanted: Extract<ToDaemon, { kind: "slot" }>,
    send: (message: ToWorker) => void,
  ): Promise<void>;
  free(id: number): void;
  freeAll(): void;
};

const retryMs = 1_000;

export function createWorkerSlots(takeSlot: TakeSlot): WorkerSlots {
  const slots = new Map<number, Slot>();
  const free = (id: number): void => {
    slots.get(id)?.free();
    slots.delete(id);
  };
  return {
    free,
    freeAll: () => [...slots.keys()].forEach(free),
    async grant(group, { id, role, lane }, send) {
      const slot = takeSlot({ group, kind: role, lane });
      slots.set(id, slot);
      try {
        await slot.granted;
        send({ kind: "slot-granted", id });
      } catch (error) {
        slots.delete(id);
        const retryAfterMs = (error instanceof DomainError ? error.retryAfterMs : undefined) ?? retryMs;
        send({ kind: "slot-refused", id, retryAfterMs });
      }
    },
  };
}
