/**
 * Stores an entry of a session, without a model.
 *
 *   bounded, without control characters -> pre-store hook: own session where none is named -> refused if another agent's
 *     -> row, index, event
 */
import {
  history as contract,
  type HistoryEntry,
  invalidInput,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { type SessionPorts, writable } from "./archive-scope.ts";
import type { ArchiveRepository } from "./store.ts";

export type ArchiveTx = { readonly archive: ArchiveRepository; readonly events: EventRepository };
export type StorePorts = SessionPorts & {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Tokens that the entries of a session should stay below. */
  readonly maxTokens: number;
};

export async function storeEntry(
  { title, content, category, kind, keep: kept, session: wanted }: InputOf<"history.store">,
  { caller, transact }: AgentCall<ArchiveTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.store">> {
  refuseLarge(content);
  const project = caller.project.id;
  const own = await ports.currentSession(caller);
  const draft = {
    id: ports.ids.next("ent"),
    session: wanted,
    category,
    kind,
    title: plainText(title),
    content,
    source: caller.agent.name,
    at: ports.clock.now(),
    kept,
  };
  const hooked = ports.hooks.preStore(draft, { own });
  const session = await writable(hooked.session, { own, caller }, ports);
  const entry = { ...hooked, session };
  return transact(project, async (tx) => {
    await tx.archive.keep(project, entry);
    await tx.events.append(project, contract.HistoryStored.of(entry.id, shortEntry(entry)));
    const used = await tx.archive.tokensOf(project, session);
    return { entry: (await tx.archive.find(entry.id, project))!, budget: { used, max: ports.maxTokens } };
  });
}

export function shortEntry({ id, session, category, title }: HistoryEntry) {
  return { id, session, category, title };
}

function refuseLarge(content: Readonly<Record<string, unknown>>): void {
  const size = Buffer.byteLength(JSON.stringify(content));
  if (size <= contract.largestContent) return;
  throw invalidInput("content", `is ${size} bytes as JSON; at most ${contract.largestContent} are kept`, {
    sentence: `The content is ${size} bytes as JSON and at most ${contract.largestContent} are kept; store the part that matters`,
  });
}
