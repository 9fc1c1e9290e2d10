/** A Guide over a clock moved by hand, with everything it recorded and logged. */
import type { Message, RoleName, SessionId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { RoleHandler } from "./delivery/agent-seats.ts";
import { createGuide, type GuidePorts } from "./guide.ts";
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
  return async (message) => {
    heard.push(message);
    return { type: "USER_RESPONSE", payload: { text: `${name}: ${String(message.payload.text)}` } };
  };
}

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
