import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createBus } from "./bus.ts";
import { createDeadLetters } from "./dead-letters.ts";

const word = fc.constantFrom("a", "b");
const subject = fc.array(word, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("."));
const pattern = fc
  .array(fc.oneof(word, fc.constantFrom("*", "**")), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("."));
const reader = fc.record({ pattern, isQueued: fc.boolean() });

/** As a regular expression: `*` is one word, `**` and a leading `*.` one or more. */
function fits(wanted: string, given: string): boolean {
  const source = wanted
    .replace(/^\*\./, "**.")
    .replaceAll(".", "\\.")
    .replaceAll("**", "<many>")
    .replaceAll("*", "[^.]+")
    .replaceAll("<many>", ".+");
  return new RegExp(`^${source}$`).test(given);
}

it("reaches every subscription whose wildcards fit, once, and no other, while several send at once [BUS-5]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(reader, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(subject, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
      async (readers, senders) => {
        const bus = createBus<string>({
          deadLetters: createDeadLetters({ clock: manualClock() }),
          onSubscriberError: ({ error }) => {
            throw error;
          },
        });
        const heard = readers.map(({ pattern, isQueued }) => {
          const messages: string[] = [];
          const listen = async (message: string, at: string) => {
            await Promise.resolve();
            messages.push(`${message} ${at}`);
          };
          bus.subscribe(pattern, listen, isQueued ? { queue: { whenFull: "block", capacity: 1 } } : {});
          return messages;
        });
        const sent = senders.flatMap((subjects, sender) =>
          subjects.map((at, turn) => ({ at, name: `${sender}.${turn}` })),
        );
        const reached: number[] = [];
        await Promise.all(
          senders.map(async (subjects, sender) => {
            for (const [turn, at] of subjects.entries()) reached.push(await bus.send(at, `${sender}.${turn}`));
          }),
        );
        await new Promise((resolve) => void setImmediate(resolve));
        const expected = readers.map(({ pattern }) =>
          sent.filter(({ at }) => fits(pattern, at)).map(({ at, name }) => `${name} ${at}`),
        );
        expect(heard.map((messages) => messages.toSorted())).toEqual(expected.map((messages) => messages.toSorted()));
        expect(reached.reduce((sum, count) => sum + count, 0)).toBe(expected.flat().length);
      },
    ),
    { numRuns: 300 },
  );
});
