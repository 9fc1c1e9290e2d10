import fc from "fast-check";
import { expect, it } from "vitest";
import type { LogEvent, ProjectId } from "../../contract/index.ts";
import { bank, fact, scratchLog, shop } from "./testkit.ts";

type Append = { readonly project: ProjectId; readonly type: string; readonly rolledBack: boolean };
type Terms = {
  readonly type: string;
  readonly project: ProjectId | undefined;
  readonly pageSize: number;
  /** After how many pages it pauses until the writer has gone on. */
  readonly patience: number;
};

const append: fc.Arbitrary<Append> = fc.record({
  project: fc.constantFrom(shop, bank),
  type: fc.constantFrom("agent.ended", "reservation.acquired", "reservation.released", "work-item.closed"),
  rolledBack: fc.boolean(),
});
/** A turn's transactions, each a few events. */
const turn = fc.array(fc.array(append, { maxLength: 4 }), { maxLength: 4 });
const reader: fc.Arbitrary<Terms> = fc.record({
  type: fc.constantFrom("**", "reservation.*", "*.released", "work-item.closed"),
  project: fc.constantFrom(shop, bank, undefined),
  pageSize: fc.integer({ min: 1, max: 5 }),
  patience: fc.integer({ min: 0, max: 3 }),
});

const patterns: Readonly<Record<string, RegExp>> = {
  "**": /./,
  "reservation.*": /^reservation\./,
  "*.released": /\.released$/,
  "work-item.closed": /^work-item\.closed$/,
};

function wantedBy({ type, project }: Terms) {
  return (event: LogEvent) => patterns[type]!.test(event.type) && (project ?? event.project) === event.project;
}

it("feeds every consumer each of its events once and in order, however slow it is and whatever the page size [CORE-14]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 6 }),
      fc.array(reader, { minLength: 1, maxLength: 3 }),
      async (turns, readers) => {
        using log = scratchLog();
        const stop = new AbortController();
        const consumers = readers.map((terms) => startConsumer(log, terms, stop.signal));
        for (const transactions of turns) {
          const writing = transactions.map((appends) => write(log, appends));
          // Half of the consumers' steps fall between the request and its commit, the others after it.
          consumers.forEach((consumer) => consumer.resume());
          await Promise.all(writing);
          consumers.forEach((consumer) => consumer.resume());
        }
        consumers.forEach((consumer) => consumer.hurry());
        await quiet();
        const everything = (await log.read({})).events;
        expect(everything.map(({ sequence }) => sequence)).toEqual(everything.map((_, index) => index + 1));
        readers.forEach((terms, index) => expect(consumers[index]!.seen).toEqual(everything.filter(wantedBy(terms))));
        stop.abort();
        await Promise.all(consumers.map(({ finished }) => finished));
        expect(log.bus.size).toBe(0);
      },
    ),
    { numRuns: 40 },
  );
});

it("gives a reader of pages each event once, or says that some are gone, while others append and retention removes [CORE-14]", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("append" as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant("read" as const), limit: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("truncate" as const), maxCount: fc.integer({ min: 0, max: 8 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      using log = scratchLog();
      let cursor = 0;
      let appended = 0;
      let oldest = 1;
      for (const step of steps) {
        if (step.kind === "append") {
          await log.append(...Array.from({ length: step.count }, () => fact()));
          appended += step.count;
        } else if (step.kind === "truncate") {
          await log.truncate({ maxCount: step.maxCount });
          oldest = Math.max(oldest, appended - step.maxCount + 1);
        } else {
          const answer = log.read({ after: cursor, limit: step.limit });
          if (cursor < oldest - 1) {
            await expect(answer).rejects.toMatchObject({ code: "events.truncated", details: { oldest: oldest - 1 } });
            cursor = oldest - 1;
          } else {
            const { events, more, lastSequence } = await answer;
            const end = Math.min(cursor + step.limit, appended);
            expect(events.map(({ sequence }) => sequence)).toEqual(range(cursor + 1, end));
            expect({ more, lastSequence }).toEqual({ more: end < appended, lastSequence: end });
            cursor = lastSequence;
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

function startConsumer(log: ReturnType<typeof scratchLog>, terms: Terms, signal: AbortSignal) {
  const seen: LogEvent[] = [];
  let hurried = false;
  let resume = (): void => {};
  async function consume(): Promise<void> {
    let sincePause = 0;
    for await (const page of log.feed(terms.pageSize)({ after: 0, ...terms, signal })) {
      expect(page.length).toBeLessThanOrEqual(terms.pageSize);
      seen.push(...page);
      if (hurried || sincePause++ < terms.patience) continue;
      sincePause = 0;
      await new Promise<void>((resolve) => (resume = resolve));
    }
  }
  return {
    seen,
    finished: consume(),
    resume: () => resume(),
    hurry() {
      hurried = true;
      resume();
    },
  };
}

/** Some of the transactions fail after they have appended. */
function write(log: ReturnType<typeof scratchLog>, appends: readonly Append[]): Promise<void> {
  const planted = new Error("planted");
  return log.store
    .transact("scope", async (tx) => {
      for (const { project, type } of appends) await tx.events.append(project, fact(type));
      if (appends.some(({ rolledBack }) => rolledBack) && appends.length > 2) throw planted;
    })
    .catch((error: unknown) => {
      if (error !== planted) throw error;
    });
}

/** Feeds go on by microtasks and commits alone: after some idle turns of the event loop each has nothing left to do. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
