/** The rule for callbacks: who awaits anything but the transaction is rolled back, and nobody waits for it. */
import { describe, expect, it } from "vitest";
import { ended, type Rows, type ScratchStore } from "./scratch-store.ts";
import { strayWaits } from "./stray-waits.ts";

export function strayAwaitRules(openStore: () => ScratchStore): void {
  describe("a callback that awaits something else", () => {
    it.each(strayWaits)(
      "is rolled back as a defect when it awaits $name; the others of its turn commit [CORE-10]",
      async ({ wait }) => {
        using scratch = openStore();
        const { store, seenOutside } = scratch;
        const late = Promise.withResolvers<unknown>();
        const outcomes = await Promise.allSettled([
          store.transact("scope", (tx) => tx.notes.put("before", "1")),
          store.transact("scope", async (tx) => {
            await tx.notes.put("stray", "1");
            await wait();
            late.resolve(await tx.notes.put("late", "1").then(() => "written", String));
          }),
          store.transact("scope", (tx) => tx.notes.put("after", "1")),
        ]);
        expect(outcomes).toMatchObject([
          { status: "fulfilled" },
          { status: "rejected", reason: { code: "internal", message: expect.stringContaining("defect") } },
          { status: "fulfilled" },
        ]);
        expect(await seenOutside()).toEqual({ before: "1", after: "1" });
        expect(await late.promise).toContain(ended);
        expect(await seenOutside()).toEqual({ before: "1", after: "1" });
      },
    );

    it("does not hold the writer: the next operation is acknowledged while the callback still waits for it [CORE-10]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const next = Promise.withResolvers<void>();
      const waiting = store.transact("scope", async (tx) => {
        await tx.notes.put("stray", "1");
        await next.promise;
        await tx.notes.put("late", "1");
      });
      const refusal = waiting.catch((error: unknown) => error);
      await store.transact("scope", (tx) => tx.notes.put("next", "1"));
      next.resolve();
      expect(await refusal).toMatchObject({ code: "internal" });
      expect(await seenOutside()).toEqual({ next: "1" });
    });

    it("is over before the next macrotask begins, with its whole group [CORE-10]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const seenByNextMacrotask = Promise.withResolvers<Rows>();
      const stray = store.transact("scope", async (tx) => {
        await tx.notes.put("stray", "1");
        await new Promise<void>((resolve) => {
          setImmediate(() => {
            seenByNextMacrotask.resolve(seenOutside());
            resolve();
          });
        });
      });
      const member = store.transact("scope", (tx) => tx.notes.put("member", "1"));
      await expect(stray).rejects.toMatchObject({ code: "internal" });
      await member;
      expect(await seenByNextMacrotask.promise).toEqual({ member: "1" });
    });

    it("runs no effect, neither its own nor one it adds too late", async () => {
      using scratch = openStore();
      const { store } = scratch;
      const ran: string[] = [];
      const late = Promise.withResolvers<void>();
      const stray = store.transact("scope", async (tx) => {
        tx.afterCommit(() => void ran.push("early"));
        await new Promise((resolve) => setImmediate(resolve));
        tx.afterCommit(() => void ran.push("late"));
        late.resolve();
      });
      await expect(stray).rejects.toMatchObject({ code: "internal" });
      await late.promise;
      await store.transact("scope", async () => {});
      expect(ran).toEqual([]);
    });

    it("cannot undo a step of another operation when its own step comes back too late [CORE-10]", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const release = Promise.withResolvers<void>();
      const late = Promise.withResolvers<unknown>();
      const stray = store.transact("scope", async (tx) => {
        await tx.notes.all();
        const step = tx.attempt(async () => {
          await tx.notes.put("stray", "1");
          await release.promise;
          throw new Error("planted");
        });
        late.resolve(await step.then((outcome) => outcome, String));
      });
      const refusal = stray.catch((error: unknown) => error);
      const other = store.transact("scope", async (tx) => {
        await tx.attempt(async () => {
          await tx.notes.put("other", "1");
          release.resolve();
          // Long enough for the late step to be done in between.
          for (let turn = 0; turn < 50; turn++) await tx.notes.all();
        });
      });
      expect(await refusal).toMatchObject({ code: "internal" });
      await other;
      expect(await late.promise).toEqual(expect.stringContaining(ended));
      expect(await seenOutside()).toEqual({ other: "1" });
    });

    it("fails although it handles the failure of its own stray step", async () => {
      using scratch = openStore();
      const { store, seenOutside } = scratch;
      const stray = store.transact("scope", async (tx) => {
        await tx.notes.put("stray", "1");
        await tx.attempt(() => new Promise((resolve) => setImmediate(resolve)));
        return "went on";
      });
      await expect(stray).rejects.toMatchObject({ code: "internal" });
      expect(await seenOutside()).toEqual({});
    });
  });
}
