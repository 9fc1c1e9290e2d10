/** One transaction: how long its handle lives, its effects after the commit, its steps. */
import { describe, expect, it } from "vitest";
import { ended, type Rows, type ScratchStore, type Tx } from "./scratch-store.ts";

export function transactionRules(openStore: () => ScratchStore): void {
  describe("a transaction's handle", () => {
    it("is dead once its callback has returned", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const tx = await store.transact("scope", async (tx) => ({ tx })).then((held) => held.tx);
      await expect(tx.notes.put("late", "1")).rejects.toThrow(ended);
      await expect(tx.notes.all()).rejects.toThrow(ended);
      expect(() => tx.attempt(async () => {})).toThrow(ended);
      expect(await seenOutside()).toEqual({});
    });

    it("is dead for the members of the same group that come after it", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      let leaked: Tx | undefined;
      const first = store.transact("scope", async (tx) => void (leaked = tx));
      const second = store.transact("scope", async () => leaked!.notes.put("smuggled", "1"));
      await first;
      await expect(second).rejects.toThrow(ended);
      expect(await seenOutside()).toEqual({});
    });

    it("does not write through the reader", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await expect(store.reader.notes.put("a", "1")).rejects.toThrow(/readonly|read-only/);
      expect(await seenOutside()).toEqual({});
    });
  });

  describe("effects after the commit", () => {
    it("run after the commit and before the acknowledgement, in order of registration [CORE-9]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const order: string[] = [];
      const seen: Promise<Rows>[] = [];
      const work = (name: string) => async (tx: Tx) => {
        tx.afterCommit(() => void order.push(`${name}1`));
        await tx.notes.put(name, "1");
        tx.afterCommit(() => void order.push(`${name}2`));
        tx.afterCommit(() => void seen.push(seenOutside()));
      };
      const acknowledged = ["a", "b"].map((name) =>
        store.transact("scope", work(name)).then(() => void order.push(`${name} acknowledged`)),
      );
      await Promise.all(acknowledged);
      expect(order.filter((entry) => !entry.endsWith("acknowledged"))).toEqual(["a1", "a2", "b1", "b2"]);
      expect(order.indexOf("a acknowledged")).toBeGreaterThan(order.indexOf("a2"));
      expect(order.indexOf("b acknowledged")).toBeGreaterThan(order.indexOf("b2"));
      expect(await Promise.all(seen)).toEqual([
        { a: "1", b: "1" },
        { a: "1", b: "1" },
      ]);
    });

    it("do not run for an operation that was rolled back", async () => {
      using scratch = openStore();
      const { store } = scratch;
      const ran: string[] = [];
      const failing = store.transact("scope", async (tx) => {
        tx.afterCommit(() => void ran.push("rolled back"));
        throw new Error("planted");
      });
      const passing = store.transact("scope", async (tx) => tx.afterCommit(() => void ran.push("committed")));
      await expect(failing).rejects.toThrow("planted");
      await passing;
      expect(ran).toEqual(["committed"]);
    });

    it("report an effect that throws and go on with the next; the operation is acknowledged", async () => {
      using scratch = openStore();
      const { store, defects } = scratch;
      const ran: string[] = [];
      const planted = new Error("planted");
      const first = store.transact("scope", async (tx) => {
        tx.afterCommit(() => {
          throw planted;
        });
        tx.afterCommit(() => void ran.push("same member"));
        return "acknowledged";
      });
      const second = store.transact("scope", async (tx) => tx.afterCommit(() => void ran.push("next member")));
      expect(await first).toBe("acknowledged");
      await second;
      expect(ran).toEqual(["same member", "next member"]);
      expect(defects).toEqual([planted]);
    });
  });

  describe("a step that may fail", () => {
    it("undoes its own changes and effects alone and hands its error back", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const ran: string[] = [];
      const planted = new Error("planted");
      const outcome = await store.transact("scope", async (tx) => {
        await tx.notes.put("before", "1");
        tx.afterCommit(() => void ran.push("before"));
        const failed = await tx.attempt(async () => {
          await tx.notes.put("before", "changed");
          await tx.notes.put("step", "1");
          tx.afterCommit(() => void ran.push("step"));
          throw planted;
        });
        await tx.notes.put("after", "1");
        return failed;
      });
      expect(outcome).toEqual({ ok: false, error: planted });
      expect(await seenOutside()).toEqual({ before: "1", after: "1" });
      expect(ran).toEqual(["before"]);
    });

    it("keeps what a step did, and undoes it with the operation if that fails later", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const step = (tx: Tx, key: string) =>
        tx.attempt(async () => {
          await tx.notes.put(key, "1");
          return key;
        });
      expect(await store.transact("scope", (tx) => step(tx, "kept"))).toEqual({ ok: true, value: "kept" });
      const failing = store.transact("scope", async (tx) => {
        await step(tx, "undone");
        throw new Error("planted");
      });
      await expect(failing).rejects.toThrow("planted");
      expect(await seenOutside()).toEqual({ kept: "1" });
    });

    it("nests: an inner step that fails leaves the outer one standing, and the other way round nothing", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      await store.transact("scope", async (tx) => {
        await tx.attempt(async () => {
          await tx.notes.put("outer", "1");
          await tx.attempt(async () => {
            await tx.notes.put("inner", "1");
            throw new Error("planted");
          });
        });
        await tx.attempt(async () => {
          await tx.attempt(() => tx.notes.put("inner of a failed one", "1"));
          throw new Error("planted");
        });
      });
      expect(await seenOutside()).toEqual({ outer: "1" });
    });
  });
}
