/** A Guide over a clock moved by hand, with everything it recorded and logged. */
import {
  type AnswerType,
  mayAnswer,
  type Message,
  type MessageOf,
  type MessageType,
  type PayloadOf,
  type RoleName,
  type SessionId,
} from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { createGuide, type GuidePorts } from "./guide.ts";
import { answerMessages, type RoleHandler } from "./role-handler.ts";
import type { AskTerms, SessionRouter } from "./router-port.ts";
import { standardCards } from "./routing/standard-cards.ts";

export const sessionA = "ses_000000000000000000000a" as SessionId;
export const sessionB = "ses_000000000000000000000b" as SessionId;
export const deadlineMs = 60_000;

export type Logged = { readonly level: "info" | "warn"; readonly event: string; readonly [fact: string]: unknown };

export function guideWorld(other: Partial<GuidePorts> = {}) {
  const clock = manualClock();
  const recorded: Message[] = [];
  const logged: Logged[] = [];
  const say = (level: Logged["level"]) => (event: string, fields?: object | (() => object)) =>
    void logged.push({ level, event, ...(typeof fields === "function" ? fields() : fields) });
  const guide = createGuide({
    clock,
    ids: randomIds(clock),
    record: async (message) => void recorded.push(message),
    log: { info: say("info"), warn: say("warn") },
    ...other,
  });
  const terms = { deadlineMs, signal: new AbortController().signal };
  return { clock, guide, recorded, logged, terms };
}

/** Answers questions with who it is and what it was asked. */
export function echo(name: string, heard: Message[] = []): RoleHandler {
  return answerMessages({
    async USER_INPUT(message) {
      heard.push(message);
      return { type: "USER_RESPONSE", payload: { text: `${name}: ${message.payload.text}` } };
    },
  });
}

/** A message as the Guide would deliver it. */
export function messageOf<Type extends MessageType>(
  type: Type,
  payload: PayloadOf<Type>,
  more: Partial<Message> = {},
): MessageOf<Type> {
  const id = "msg_0000000000000000000001" as Message["id"];
  const envelope = {
    id,
    correlationId: id,
    session: sessionA,
    from: "user",
    to: "guide",
    priority: 50,
    at: 0,
  } as const;
  const rest = { attempt: 1, maxAttempts: 1, status: "processing", metadata: {}, ...more } as const;
  return { ...envelope, ...rest, type, payload };
}

/** What a role answers to it. */
export async function answerOf<Type extends MessageType>(
  handler: RoleHandler,
  request: MessageOf<Type>,
  signal = new AbortController().signal,
): Promise<Pick<MessageOf<AnswerType<Type>>, "type" | "payload">> {
  const answer = await handler(request as MessageOf, signal);
  if (!mayAnswer(answer.type, request.type)) throw new Error(`${answer.type} does not answer ${request.type}`);
  return answer as MessageOf<AnswerType<Type>>;
}

type AskAnything = (from: RoleName, to: RoleName, type: string, payload: object, terms: AskTerms) => Promise<Message>;
/** For messages that the types refuse already, to see that the Guide does too. */
export const askAnything = ({ ask }: SessionRouter): AskAnything => ask as AskAnything;

/** A world whose sessions have the roles of `sylk ask`, the first two of them shared. */
export function askWorld(other: Partial<GuidePorts> = {}) {
  const world = guideWorld(other);
  const heard: Message[] = [];
  for (const name of ["librarian", "archivalist"] as const)
    world.guide.registerShared(standardCards[name], echo(name, heard));
  const open = (session: SessionId) => {
    const router = world.guide.open(session);
    for (const name of ["architect", "inspector", "tester"] as const)
      router.register(standardCards[name], echo(name, heard));
    return router;
  };
  return { ...world, heard, open };
}

/** Lets everything run that waits for nothing but its turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const names = (agents: readonly { readonly name: RoleName }[]): readonly RoleName[] =>
  agents.map(({ name }) => name);
