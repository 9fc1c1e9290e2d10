import { expect, it } from "vitest";
import type { Session, SessionId } from "../../contract/index.ts";
import { createBus } from "../../platform/bus/index.ts";
import { openSessionBus } from "../guide/index.ts";
import { loadedSessions } from "./loaded-sessions.ts";
import type { SessionMessage } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import { seal } from "./snapshot.ts";

it("closes the parts of a session whose saved content they cannot take, and does not keep it [SM-20]", async () => {
  const id = "ses_000000000000000000000a" as SessionId;
  const bus = createBus<SessionMessage>({ onSubscriberError: () => {} });
  let open = 0;
  const router = () => {
    open++;
    return {
      serialize: () => ({}),
      restore(): void {
        throw new Error("made by another router");
      },
      close: () => void open--,
    };
  };
  const loaded = loadedSessions({ openBus: (session) => openSessionBus(bus, session, []), parts: { router } });
  const saved = { agents: [], metadata: {}, workflow: {}, preferences: {}, parts: { router: {} } } as never;
  const findSnapshot = async () => seal(id, { context: saved, held: {} }, 1);
  const tx = { sessions: { findSnapshot } as Partial<SessionTx["sessions"]> as SessionTx["sessions"] };
  const session = { id, state: "suspended", metadata: {} } as Session;
  await expect(loaded.take(session, tx)).rejects.toThrow("made by another router");
  expect([open, loaded.size, loaded.find(id)]).toEqual([0, 0, undefined]);
});
