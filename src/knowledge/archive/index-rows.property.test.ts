import fc from "fast-check";
import { expect, it } from "vitest";
import { agentIn, scratchArchive, sessionOf, shop } from "./testkit.ts";

const words = ["alpha", "beta", "gamma", "delta"] as const;
const categories = ["decision", "pattern", "insight"] as const;
const step = fc.record({
  does: fc.constantFrom("add", "add", "add", "remove", "replace", "promote" as const),
  word: fc.constantFrom(...words),
  category: fc.constantFrom(...categories),
  session: fc.integer({ min: 1, max: 4 }),
  source: fc.constantFrom("heron", "otter"),
  pick: fc.nat(30),
});

it("the index by category, source and word holds exactly the entries there are: removal leaves no stale hit [ARCV-22]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), async (steps) => {
      using at = await scratchArchive();
      const known = new Map<string, { word: string; category: string; source: string }>();
      let number = 0;
      for (const { does, word, category, session, source, pick } of steps) {
        const ids = [...known.keys()];
        const id = ids[pick % Math.max(1, ids.length)];
        const add = (as: string) => {
          known.set(as, { word, category, source });
          const entry = { session: sessionOf(session), category, source, title: word, content: {}, at: ++number };
          return at.store.transact("add", (tx) => tx.archive.keep(shop, { ...entry, id: as }));
        };
        if (does === "add") await add(`ent_${number}`);
        else if (id === undefined) continue;
        else if (does === "replace") await add(id);
        else if (does === "promote")
          await at.store.transact("promote", (tx) => tx.archive.promote(id, shop, { reason: "x", by: "y", at: 1 }));
        else {
          known.delete(id);
          await at.store.transact("remove", (tx) => tx.archive.remove(shop, [id]));
        }
      }
      for (const word of words)
        for (const category of categories)
          for (const source of ["heron", "otter"]) {
            const asked = { query: word, category, source, allSessions: true, limit: 100 };
            const { items } = await at.call("history.list", asked, agentIn(sessionOf(1)));
            const expected = [...known].filter(
              ([, one]) => one.word === word && one.category === category && one.source === source,
            );
            expect(items.map(({ id }) => id).toSorted()).toEqual(expected.map(([id]) => id).toSorted());
          }
    }),
    { numRuns: 30 },
  );
}, 60_000);

it("a snapshot brings back every field of every entry, whatever happened since [ARCV-26]", async () => {
  const entry = fc.record({
    title: fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== ""),
    content: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 }),
    category: fc.constantFrom(...categories),
    kind: fc.constantFrom("entry", "fact", "summary" as const),
    keep: fc.boolean(),
  });
  const own = agentIn(sessionOf(1));
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), fc.array(entry, { maxLength: 4 }), async (first, later) => {
      using at = await scratchArchive();
      for (const one of first) await at.call("history.store", one, own);
      await at.call("history.store", { title: "theirs" }, agentIn(sessionOf(2)));
      const all = async (session: number) =>
        (await at.call("history.list", { archived: true, limit: 100 }, agentIn(sessionOf(session)))).items;
      const [before, others] = [await all(1), await all(2)];
      if (before[0] !== undefined) await at.call("history.promote", { id: before[0].id, reason: "x" }, own);
      const saved = await all(1);
      const { snapshot } = await at.call("history.snapshot", {}, own);
      for (const one of later) await at.call("history.store", one, own);
      for (const { id } of saved) await at.call("history.mark", { id, mark: "archive" }, own);
      await at.call("history.compact", {}, own);
      await at.call("history.restore", { id: snapshot.id }, own);
      expect(await all(1)).toEqual(saved);
      expect((await all(2)).filter(({ session }) => session === sessionOf(2))).toEqual(others);
    }),
    { numRuns: 30 },
  );
}, 60_000);
