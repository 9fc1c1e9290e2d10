import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { agentIn, type ScratchArchive, scratchArchive, sessionOf } from "../../knowledge/archive/testkit.ts";
import { createSkillDesk } from "../skills/index.ts";
import { signal } from "../skills/testkit.ts";
import { historyAsk } from "./history-ask.ts";
import { archivalistCallables } from "./skill-handlers.ts";
import { archivalistRole } from "./skills.ts";

const sessions = Array.from({ length: 8 }, (_, number) => sessionOf(number + 1));
const vocabulary = ["discount", "receipt", "cart", "taxes", "rounding", "parcels"] as const;
const step = fc.record({
  who: fc.nat(sessions.length - 1),
  does: fc.constantFrom("store", "promote", "revoke", "archive", "foreign store", "compact" as const),
  word: fc.constantFrom(...vocabulary),
  pick: fc.nat(20),
});

/** The real role over the real store, in one session. */
function deskOf(at: ScratchArchive, session: SessionId) {
  const call = { caller: agentIn(session), transact: at.store.transact };
  return createSkillDesk({
    role: archivalistRole,
    session,
    callable: archivalistCallables(historyAsk(call, at.handlers)),
  });
}

type Model = { id: string; session: SessionId; word: string; promoted: boolean; archived: boolean };

it("over any interleaving of many sessions a query sees its own entries and promoted ones, nothing else [ARCV-34, ARCV-36, SM-29]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      using at = await scratchArchive();
      const model: Model[] = [];
      // All at once: what one session does comes between the steps of the others.
      await Promise.all(
        sessions.map(async (session, who) => {
          const desk = deskOf(at, session);
          for (const { does, word, pick } of steps.filter((one) => one.who === who)) {
            const mine = model.filter((entry) => entry.session === session);
            const one = mine[pick % Math.max(1, mine.length)];
            if (does === "store") {
              const { entry } = (await desk.call("store", { title: `${word} ${pick}`, keep: true }, { signal })) as {
                entry: { id: string; session: SessionId };
              };
              expect(entry.session).toBe(session);
              model.push({ id: entry.id, session, word, promoted: false, archived: false });
            }
            if (does === "foreign store") {
              const other = sessions[(who + 1 + pick) % sessions.length]!;
              const outcome = desk.call("store", { title: "x" }, { signal, session: other });
              if (other !== session) await expect(outcome).rejects.toMatchObject({ code: "caller.denied" });
              else await outcome.then(async () => at.call("history.compact", {}, agentIn(session)));
            }
            if (does === "compact") await at.call("history.compact", {}, agentIn(session));
            if (one === undefined) continue;
            if (does === "promote" || does === "revoke") {
              const terms = { entry_id: one.id, reason: "so", revoke: does === "revoke" };
              await desk.call("promote_to_global", terms, { signal });
              one.promoted = does === "promote";
            }
            if (does === "archive") {
              await at.call("history.mark", { id: one.id, mark: "archive" }, agentIn(session));
              one.archived = true;
            }
          }
        }),
      );
      for (const session of sessions)
        for (const word of vocabulary) {
          const seen = (
            (await deskOf(at, session).call("query", { query: word, limit: 50 }, { signal })) as {
              entries: { id: string; session: SessionId }[];
            }
          ).entries;
          const expected = model.filter(
            (entry) => entry.word === word && !entry.archived && (entry.session === session || entry.promoted),
          );
          expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(expected.slice().map(({ id }) => id)));
          for (const { id, session: of } of seen) expect(model.find((entry) => entry.id === id)!.session).toBe(of);
        }
    }),
    { numRuns: 25 },
  );
}, 60_000);
