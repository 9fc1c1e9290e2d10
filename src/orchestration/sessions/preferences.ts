/** Preferences of a session: its own, over those that some session gave to the whole project. */
import { DomainError, type Session, type SessionId } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { NamedValues } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";

type Ports<Tx> = {
  readonly store: Store<Tx>;
  readonly get: (id: SessionId) => Promise<Session>;
  readonly ownOf: (id: SessionId) => Promise<NamedValues>;
  readonly ownInMemory: (id: SessionId) => NamedValues | undefined;
};

export function sessionPreferences<Tx extends SessionTx>({ store, get, ownOf, ownInMemory }: Ports<Tx>) {
  return {
    async promote(id: SessionId, name: string): Promise<void> {
      const value = (await ownOf(id)).get(name);
      if (value === undefined)
        throw new DomainError("input.invalid", `${id} has no preference "${name}" to promote; set it first`, {
          details: { problems: [{ path: "name", message: "no such preference" }] },
        });
      const { project } = await get(id);
      await store.transact(project, (tx) => tx.sessions.promote(project, name, value));
    },
    async preferences(id: SessionId): Promise<Readonly<Record<string, string>>> {
      const { project } = await get(id);
      return { ...(await store.reader.sessions.promotedPreferences(project)), ...ownInMemory(id)?.all() };
    },
  };
}
