/** Group commit: one transaction for a turn, a rollback for each, acknowledged after the commit. */
import { describe, expect, it } from "vitest";
import type { ScratchStore, Tx } from "./scratch-store.ts";

export function groupRules(openStore: () => ScratchStore): void {
  describe("group commit", () => {
    it("shows the operations of one turn to others all at once, before the first of them is acknowledged [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const seenWhenAcknowledged = ["a", "b", "c"].map(async (key) => {
        await store.transact("scope", (tx) => tx.notes.put(key, "1"));
        return seenOutside();
      });
      const all = { a: "1", b: "1", c: "1" };
      expect(await Promise.all(seenWhenAcknowledged)).toEqual([all, all, all]);
    });

    it("shows nothing of a group to the reader or to others while it runs [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", (tx) => tx.notes.put("before", "1"));
      const lookAround = async (tx: Tx, key: string) => {
        await tx.notes.put(key, "1");
        return { inside: await tx.notes.all(), reader: await store.reader.notes.all(), outside: await seenOutside() };
      };
      const seen = await Promise.all(["a", "b"].map((key) => store.transact("scope", (tx) => lookAround(tx, key))));
      const before = { before: "1" };
      expect(seen).toEqual([
        { inside: { ...before, a: "1" }, reader: before, outside: before },
        { inside: { ...before, a: "1", b: "1" }, reader: before, outside: before },
      ]);
      expect(await store.reader.notes.all()).toEqual({ ...before, a: "1", b: "1" });
    });

    it("rolls a failing operation back alone and commits the others of its turn [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const refusal = new Error("planted");
      const outcomes = await Promise.allSettled([
        store.transact("scope", (tx) => tx.notes.put("a", "1")),
        store.transact("scope", async (tx) => {
          await tx.notes.put("a", "overwritten");
          await tx.notes.put("b", "1");
          throw refusal;
        }),
        store.transact("scope", async (tx) => {
          await tx.notes.put("c", "1");
          return tx.notes.all();
        }),
      ]);
      expect(outcomes).toEqual([
        { status: "fulfilled", value: undefined },
        { status: "rejected", reason: refusal },
        { status: "fulfilled", value: { a: "1", c: "1" } },
      ]);
      expect(await seenOutside()).toEqual({ a: "1", c: "1" });
    });

    it("tells a failing operation so only after the others are committed [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const failing = store.transact("scope", async () => {
        throw new Error("planted");
      });
      const seenWhenRefused = failing.catch(() => seenOutside());
      void store.transact("scope", (tx) => tx.notes.put("later-member", "1"));
      expect(await seenWhenRefused).toEqual({ "later-member": "1" });
    });

    it("takes a callback that throws before its first await like any other failure", async () => {
      using scratch = openStore();
      const { store } = scratch;
      const throwing = store.transact("scope", () => {
        throw new Error("planted");
      });
      await expect(throwing).rejects.toThrow("planted");
    });

    it("runs the operations of a turn strictly one after the other, however often each awaits", async () => {
      using scratch = openStore();
      const { store } = scratch;
      const steps: string[] = [];
      const awaitOften = (name: string) => async (tx: Tx) => {
        for (let step = 0; step < 5; step++) {
          steps.push(name);
          await tx.notes.put(name, String(step));
        }
      };
      await Promise.all(["a", "b", "c"].map((name) => store.transact("scope", awaitOften(name))));
      expect(steps.join("")).toBe("aaaaabbbbbccccc");
    });

    it("takes on what is asked for while a group runs, and keeps the order in which it was asked", async () => {
      using scratch = openStore();
      const { store } = scratch;
      const finished: string[] = [];
      const second = Promise.withResolvers<void>();
      const first = store.transact("scope", async (tx) => {
        second.resolve(
          store.transact("scope", (later) => later.notes.put("b", "1")).then(() => void finished.push("b")),
        );
        await tx.notes.put("a", "1");
      });
      await first.then(() => void finished.push("a"));
      await second.promise;
      expect(finished).toEqual(["a", "b"]);
      expect(await store.reader.notes.all()).toEqual({ a: "1", b: "1" });
    });
  });
}
