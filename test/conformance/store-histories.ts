/** Random histories against a model: what is committed is exactly what was acknowledged. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { tooLong, type Rows, type ScratchStore, type Tx } from "./scratch-store.ts";

type Deed = "put" | "remove" | "throw" | "stray" | "lost step" | "kept step" | "no room";
type Operation = { readonly deed: Deed; readonly key: string; readonly text: string };

const operation: fc.Arbitrary<Operation> = fc.record({
  deed: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Deed>("put", "remove", "throw", "stray", "lost step", "kept step") },
    { weight: 1, arbitrary: fc.constant<Deed>("no room") },
  ),
  key: fc.constantFrom("a", "b", "c", "d"),
  text: fc.stringMatching(/^[a-z]{1,3}$/),
});
const turn = fc.array(operation, { minLength: 1, maxLength: 6 });

export function historyRules(openStore: () => ScratchStore): void {
  it("commits exactly what it acknowledged, in order, whatever fails in between [CORE-9]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
        using scratch = openStore();
        const { store, seenOutside } = scratch;
        let model: Rows = {};
        for (const operations of turns) {
          const outOfRoom = operations.some(({ deed }) => deed === "no room");
          const outcomes = await Promise.allSettled(
            operations.map((operation) => store.transact("scope", (tx) => perform(operation, tx))),
          );
          if (outOfRoom) {
            expect(outcomes).toMatchObject(
              operations.map(() => ({ status: "rejected", reason: { code: "store.unavailable" } })),
            );
            await store.transact("scope", (tx) => tx.notes.makeRoom());
          } else {
            operations.forEach((operation, index) => {
              const outcome = outcomes[index]!;
              expect(outcome.status).toBe(fails(operation) ? "rejected" : "fulfilled");
              // Each member sees what those before it in the group have done, and nothing of those that failed.
              if (outcome.status === "fulfilled") expect(outcome.value).toEqual(model);
              model = effectOn(model, operation);
            });
          }
          expect(await seenOutside()).toEqual(model);
          expect(await store.reader.notes.all()).toEqual(model);
        }
      }),
      { numRuns: 100 },
    );
  });
}

/** Returns the rows it found. */
async function perform({ deed, key, text }: Operation, tx: Tx): Promise<Rows> {
  const found = await tx.notes.all();
  if (deed === "remove") await tx.notes.remove(key);
  else if (deed === "kept step") await tx.attempt(() => tx.notes.put(key, text));
  else if (deed === "lost step") await tx.attempt(() => putThenThrow(key, text, tx));
  else if (deed === "throw") await putThenThrow(key, text, tx);
  else {
    await tx.notes.put(key, text);
    if (deed === "stray") await new Promise((resolve) => setImmediate(resolve));
    if (deed === "no room") {
      await tx.notes.takeRoom();
      await tx.notes.put(key, tooLong);
    }
  }
  return found;
}

async function putThenThrow(key: string, text: string, tx: Tx): Promise<never> {
  await tx.notes.put(key, text);
  throw new Error("planted");
}

function fails({ deed }: Operation): boolean {
  return deed === "throw" || deed === "stray";
}

function effectOn(rows: Rows, { deed, key, text }: Operation): Rows {
  if (deed === "remove") return Object.fromEntries(Object.entries(rows).filter(([other]) => other !== key));
  return deed === "put" || deed === "kept step" ? { ...rows, [key]: text } : rows;
}
