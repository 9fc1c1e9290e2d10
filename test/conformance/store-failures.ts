/** When the database ends a transaction by itself, and when the store closes. */
import { describe, expect, it } from "vitest";
import { tooLong, type ScratchStore, type Tx } from "./scratch-store.ts";

export function failureRules(openStore: () => ScratchStore): void {
  describe("a transaction that the database ends", () => {
    /** A turn of three whose middle one meets the end of the room. */
    function turnWithoutRoom(store: ScratchStore["store"], fill: (tx: Tx) => Promise<unknown>, ran: string[]) {
      return Promise.allSettled([
        store.transact("scope", async (tx) => {
          tx.afterCommit(() => void ran.push("effect"));
          await tx.notes.put("first", "1");
        }),
        store.transact("scope", fill),
        store.transact("scope", (tx) => tx.notes.put("third", "1")),
      ]);
    }
    const unavailable = { status: "rejected", reason: { code: "store.unavailable", cause: expect.any(Error) } };

    it("fails for every member with store.unavailable, shows nothing, and works again once there is room [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.put("kept", "1"));
      await store.transact("scope", (tx) => tx.notes.takeRoom());
      const ran: string[] = [];
      const outcomes = await turnWithoutRoom(store, (tx) => tx.notes.put("big", tooLong), ran);
      expect(outcomes).toMatchObject([unavailable, unavailable, unavailable]);
      expect(await seenOutside()).toEqual({ kept: "1" });
      expect(ran).toEqual([]);

      await store.transact("scope", (tx) => tx.notes.makeRoom());
      await store.transact("scope", (tx) => tx.notes.put("big", "fits"));
      expect(await seenOutside()).toEqual({ kept: "1", big: "fits" });
    });

    it("is seen by the probe until there is room again, also when no other caller changes anything [CORE-17]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.takeRoom());
      await store.probe(); // nothing was refused yet
      await turnWithoutRoom(store, (tx) => tx.notes.put("big", tooLong), []);
      await store.transact("scope", (tx) => tx.notes.remove("nothing")); // what needs no room proves nothing
      await expect(store.probe()).rejects.toMatchObject({ code: "store.unavailable", cause: expect.any(Error) });
      await store.transact("scope", (tx) => tx.notes.makeRoom());
      await store.probe();
      expect(await seenOutside()).toEqual({});
    });

    it("lets nothing through from a member that catches the failure and continues", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.put("kept", "1"));
      await store.transact("scope", (tx) => tx.notes.takeRoom());
      const stubborn = async (tx: Tx) => {
        await tx.notes.put("big", tooLong).catch(() => {});
        await tx.notes.put("kept", "changed").catch(() => {});
      };
      const outcomes = await turnWithoutRoom(store, stubborn, []);
      const refused = { status: "rejected", reason: { code: "store.unavailable" } };
      expect(outcomes).toMatchObject([refused, refused, refused]);
      expect(await seenOutside()).toEqual({ kept: "1" });
    });

    it("is not taken for the failure of a step", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.put("kept", "1"));
      await store.transact("scope", (tx) => tx.notes.takeRoom());
      const stubborn = async (tx: Tx) => {
        await tx.attempt(() => tx.notes.put("big", tooLong));
        await tx.notes.put("kept", "changed");
      };
      expect(await turnWithoutRoom(store, stubborn, [])).toMatchObject([unavailable, unavailable, unavailable]);
      expect(await seenOutside()).toEqual({ kept: "1" });
    });
  });

  describe("closing", () => {
    it("refuses what still waits and what comes later with daemon.stopping, and makes no change", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.put("kept", "1"));
      const waiting = [
        store.transact("scope", (tx) => tx.notes.put("a", "1")),
        store.transact("scope", (tx) => tx.notes.put("b", "1")),
      ];
      const refused = Promise.allSettled(waiting);
      store.close();
      const stopping = { status: "rejected", reason: { code: "daemon.stopping" } };
      expect(await refused).toMatchObject([stopping, stopping]);
      await expect(store.transact("scope", async () => {})).rejects.toMatchObject({ code: "daemon.stopping" });
      // The turn that had been planned for them passes and finds nothing to do.
      await new Promise((resolve) => setImmediate(resolve));
      expect(await seenOutside()).toEqual({ kept: "1" });
    });

    it("is seen by the probe as store.unavailable with its cause", async () => {
      using scratch = openStore();
      const { store } = scratch;
      await store.probe();
      store.close();
      await expect(store.probe()).rejects.toMatchObject({ code: "store.unavailable", cause: expect.any(Error) });
    });
  });
}
