import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { type Schema, validInput } from "../../../test/fuzz/valid-input.ts";
import { mayAnswer, maySend, Message, type MessageType, messageTypes, RoleName } from "../../contract/index.ts";
import { Undeliverable } from "./check-message.ts";
import type { Answer } from "./role-handler.ts";
import { askAnything, guideWorld, sessionA, sessionB } from "./testkit.ts";

const roles = RoleName.options;
const types = Object.keys(messageTypes) as MessageType[];
const payloads = new Map(
  types.map((type) => {
    const schema = z.toJSONSchema(messageTypes[type].payload, { io: "input" }) as Schema;
    return [type, validInput(schema, () => undefined) as fc.Arbitrary<Message["payload"]>];
  }),
);
const pairs = types.flatMap((type) =>
  roles.flatMap((from) => roles.flatMap((to) => (maySend(type, from, to) ? [{ type, from, to }] : []))),
);
/** What the receiver may answer to the sender. */
const answersTo = (asked: MessageType, from: RoleName, to: RoleName) =>
  types.filter((type) => mayAnswer(type, asked) && maySend(type, to, from));

const sentAs = (type: MessageType) =>
  fc.constantFrom(...pairs.filter((pair) => pair.type === type)).chain(({ from, to }) => {
    const answers = answersTo(type, from, to);
    const answer =
      answers.length === 0
        ? fc.constant(undefined)
        : fc
            .constantFrom(...answers)
            .chain((each) => payloads.get(each)!.map((payload) => ({ type: each, payload }) as Answer));
    return fc.record({
      type: fc.constant(type),
      from: fc.constant(from),
      to: fc.constant(to),
      payload: payloads.get(type)!,
      answer,
    });
  });
const others = fc.array(fc.constantFrom(...types).chain(sentAs), { minLength: 1, maxLength: 3 });

it("every type round-trips between those who may send and get it: written down, routed, delivered, correlated [GUIDE-28]", async () => {
  for (const type of types)
    await fc.assert(
      fc.asyncProperty(sentAs(type), others, (message, beside) => roundTrip([message, ...beside])),
      { numRuns: 4 },
    );
});

type Sent = typeof sentAs extends (type: never) => fc.Arbitrary<infer Each> ? Each : never;

/** All of them at once, each in both sessions. */
async function roundTrip(messages: readonly Sent[]): Promise<void> {
  const { guide, recorded, terms } = guideWorld();
  await Promise.all(
    messages.flatMap((message, index) =>
      [sessionA, sessionB].map(async (like) => {
        const session = `${like.slice(0, -2)}${index}${like.at(-1)}` as typeof like;
        const router = guide.open(session);
        const heard: Message[] = [];
        router.register(message.to, async (request) => {
          heard.push(request);
          if (message.answer === undefined) throw new Error("nothing may be answered");
          return message.answer;
        });
        const asked = askAnything(router)(message.from, message.to, message.type, message.payload, terms);
        const answer = await asked.catch((error: unknown) => error as Error);
        expect(heard).toMatchObject([{ session, from: message.from, to: message.to, type: message.type }]);
        expect(heard[0]!.payload).toEqual(message.payload);
        if (message.answer === undefined) return;
        expect(answer).toMatchObject({ ...message.answer, session, correlationId: heard[0]!.id, to: message.from });
        expect(recorded, "both written down").toEqual(expect.arrayContaining([answer, heard[0]]));
      }),
    ),
  );
  for (const message of recorded) expect(Message.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
}

it("refuses every direction that is not in the registry, and every payload that is not the type's; nothing is recorded [GUIDE-28]", async () => {
  const { guide, recorded, terms } = guideWorld();
  const router = guide.open(sessionA);
  for (const role of roles) router.register(role, () => expect.unreachable());
  for (const type of types)
    for (const from of roles)
      for (const to of roles)
        await expect(
          askAnything(router)(from, to, type, { bogus: 1 }, terms),
          `${from} ${type} ${to}`,
        ).rejects.toSatisfy(
          (error: unknown) =>
            error instanceof Undeliverable && maySend(type, from, to) === /payload/.test(error.message),
        );
  expect(recorded).toEqual([]);
});
