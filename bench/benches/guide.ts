/** What the Guide costs: deciding whom a text is for, and carrying a message to its answer; beside a look-up in a Map. */
import type { Message, SessionId } from "../../src/contract/index.ts";
import { createGuide, standardCards, type SessionRouter } from "../../src/orchestration/guide/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { median, percentile } from "../statistics.ts";

const rounds = 5;
const decisions = 20_000;
const messages = 20_000;
const sessions = 100;
const atOnce = 50;
const texts = Array.from({ length: 200 }, (_, index) => `where is the total of cart ${index} computed?`);

export const guide: Bench = {
  name: "guide",
  method: `${decisions.toLocaleString("en")} decisions for ${texts.length} texts among five roles, each timed, ${rounds} rounds after one to warm up: by a tag, by the session's cache, by the rules (every text new); then ${messages.toLocaleString("en")} requests with their answers through ${sessions} sessions, ${atOnce} at once. No model is asked. Asked for: 10 ms with a cache hit, 100 ms with classification.`,
  async run() {
    const router = openRouter(newGuide(), 0);
    for (const text of texts) await router.route(text, terms());
    const map = new Map(texts.map((text) => [text, "librarian"]));
    let fresh = 0;
    const floor = timed((text) => map.get(text));
    return [
      decided(
        "decision by tag, p99",
        timed((text) => router.explain(`@to:librarian ${text}`)),
        100,
        floor,
      ),
      decided(
        "decision by cache, p99",
        timed((text) => router.explain(text)),
        100,
        floor,
      ),
      decided(
        "decision by rules, p99",
        timed((text) => router.explain(`${text} ${++fresh}`)),
        1_000,
        floor,
      ),
      await throughput(),
    ];
  },
};

const terms = () => ({ deadlineMs: 60_000, signal: new AbortController().signal });

function newGuide() {
  const clock = systemClock();
  return createGuide({ clock, ids: randomIds(clock), record: async () => {} });
}

function openRouter(of: ReturnType<typeof newGuide>, number: number): SessionRouter {
  const router = of.open(`ses_${String(number).padStart(22, "0")}` as SessionId);
  for (const card of Object.values(standardCards))
    router.register(card, async ({ payload }: Message) => ({
      type: "USER_RESPONSE",
      payload: { text: String(payload.text) },
    }));
  return router;
}

/** Microseconds: the p99 of each round. */
function timed(decide: (text: string) => unknown): number[] {
  const p99s: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const took = Array.from({ length: decisions }, (_, index) => {
      const start = performance.now();
      decide(texts[index % texts.length]!);
      return (performance.now() - start) * 1000;
    });
    p99s.push(percentile(took, 99));
  }
  return p99s.slice(1);
}

function decided(what: string, p99s: readonly number[], mostMicroseconds: number, floor: readonly number[]): Figure {
  const value = median(p99s);
  return {
    what,
    value,
    unit: "µs",
    rounds: p99s,
    floor: { what: "look-up in a Map, p99", value: median(floor), unit: "µs" },
    target: { text: `< ${mostMicroseconds.toLocaleString("en")} µs`, met: value < mostMicroseconds },
  };
}

async function throughput(): Promise<Figure> {
  const of = newGuide();
  const routers = Array.from({ length: sessions }, (_, number) => openRouter(of, number));
  const perSecond: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    let next = 0;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < messages) {
          const number = next++;
          await routers[number % sessions]!.ask("user", "librarian", "USER_INPUT", { text: "where?" }, terms());
        }
      }),
    );
    perSecond.push((messages / (performance.now() - start)) * 1000);
  }
  const { "message.answered": answered } = of.metrics().counts;
  if (answered !== messages * (rounds + 1)) throw new Error(`${answered} of ${messages * (rounds + 1)} were answered`);
  const floor = median(lookUps());
  return {
    what: "requests with their answers, through the Guide",
    value: median(perSecond.slice(1)),
    unit: "/s",
    rounds: perSecond.slice(1),
    floor: { what: "look-ups in a Map", value: floor, unit: "/s" },
  };
}

function lookUps(): number[] {
  const map = new Map(texts.map((text, index) => [text, index]));
  return Array.from({ length: rounds }, () => {
    let found = 0;
    const start = performance.now();
    for (let index = 0; index < messages * 10; index++) found += map.get(texts[index % texts.length]!)! >= 0 ? 1 : 0;
    return (found / (performance.now() - start)) * 1000;
  });
}
