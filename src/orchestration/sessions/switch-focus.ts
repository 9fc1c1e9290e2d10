/**
 * Switches a client to another session in one step: the target becomes active, the previous session pauses or keeps
 * running.
 *
 *   previous session: as the call says, else as its preference says, else as the settings say
 */
import { session as contract, type Session, type SessionId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Transaction } from "../../platform/store/index.ts";
import type { SessionPart } from "./session-context.ts";
import { findSession, type SessionTx } from "./session-for.ts";
import type { StepPorts } from "./session-values.ts";
import type { Held } from "./session-work.ts";
import type { OnBlur, Sessions } from "./sessions-port.ts";

type Ports<Tx, Parts extends Record<string, SessionPart>> = StepPorts<Tx, Parts> & {
  readonly onBlur: OnBlur;
  readonly preferencesIn: (session: Session, tx: Tx) => Promise<Readonly<Record<string, string>>>;
  readonly pause: (
    session: Session,
    tx: Tx & Transaction,
  ) => Promise<{ readonly session: Session; readonly held: Held }>;
  readonly activate: (session: Session, tx: Tx & Transaction) => Promise<Session>;
  readonly stopped: (held: Held) => Promise<void>;
};

export function focusSwitch<Tx extends SessionTx, Parts extends Record<string, SessionPart>>(
  ports: Ports<Tx, Parts>,
): Sessions<Tx, Parts>["switch"] {
  const { store, clock, loaded, inTurn } = ports;

  async function rests(left: Session, onBlur: OnBlur | undefined, tx: Tx): Promise<boolean> {
    if (left.state !== "active") return false;
    return (onBlur ?? (await ports.preferencesIn(left, tx)).onBlur ?? ports.onBlur) === "pause";
  }

  async function move(id: SessionId, client: string, onBlur: OnBlur | undefined, tx: Tx & Transaction) {
    const target = await findSession(id, tx);
    const focus = await tx.sessions.focusOf(client);
    const left = focus === undefined || focus === id ? undefined : await tx.sessions.find(focus);
    const blurred = left && (await rests(left, onBlur, tx)) ? await ports.pause(left, tx) : undefined;
    const session = target.state === "active" ? target : await ports.activate(target, tx);
    await tx.sessions.setFocus(client, id, clock.now());
    const previous = blurred?.session ?? left;
    if (focus !== id)
      await tx.events.append(
        session.project,
        contract.SessionFocused.of(id, { client, session: id, ...defined({ previous: left?.id }) }),
      );
    return { session, ...defined({ previous }), held: blurred?.held ?? {} };
  }

  /** Takes the client's turn first, so that no other call moves its focus. */
  return (id, client, { onBlur } = {}, by = ports.plain) =>
    inTurn([`client ${client}`], async () => {
      const looking = await store.reader.sessions.focusOf(client);
      const names = [id, ...(looking === undefined || looking === id ? [] : [looking])];
      return inTurn(names, async () => {
        const { held, ...switched } = await loaded.safely(id, () =>
          by.transact(id, (tx) => move(id, client, onBlur, tx)),
        );
        await ports.stopped(held);
        return switched;
      });
    });
}
