/** Finding messages again: by words, by thread, by topic, or one by its id. */
import { type Caller, type DomainError, type InputOf, invalidInput, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { findMessage } from "./find-message.ts";
import { cut, fitting, viewMail } from "./mail-view.ts";
import type { MailPorts } from "./ports.ts";
import type { MailViewer } from "./store.ts";

export async function searchMail(
  { query, thread, topic, cursor, limit, maxBytes }: InputOf<"mail.search">,
  caller: Caller,
  { store }: Pick<MailPorts, "store">,
): Promise<OutputOf<"mail.search">> {
  const found = await store.reader.mail.search({
    viewer: viewerOf(caller),
    words: query === undefined ? [] : wordsOf(query),
    thread,
    topic,
    before: cursor === undefined ? undefined : placeOf(cursor),
    limit: limit + 1,
  });
  const items = [...fitting(found.slice(0, limit), maxBytes)];
  const last = found[items.length - 1];
  return found.length > items.length && last !== undefined ? { items, nextCursor: String(last.sequence) } : { items };
}

export async function getMail(
  { id, from, maxBytes }: InputOf<"mail.get">,
  caller: Caller,
  { store }: Pick<MailPorts, "store">,
): Promise<OutputOf<"mail.get">> {
  const { mail } = store.reader;
  const message = await findMessage(id, caller, { mail });
  const rest = [...message.body].slice(from).join("");
  const body = cut(rest, maxBytes);
  const receivers = message.ackDueAt === undefined ? [] : await mail.receivers(message.sequence);
  return {
    message: { ...viewMail(message), body, ...(body.length < rest.length ? { truncated: true } : {}) },
    ...(body.length < rest.length ? { nextFrom: from + [...body].length } : {}),
    acks: receivers.map(({ agent, ackedAt }) => ({ agent, ...defined({ ackedAt }) })),
  };
}

export function viewerOf(caller: Caller): MailViewer {
  return { project: caller.project?.id, agent: caller.kind === "agent" ? caller.agent.id : undefined };
}

/** Phrases in quotes, then single words; anything else is not syntax. */
function wordsOf(query: string): readonly string[] {
  const words = [...query.matchAll(/"([^"]*)"|[\p{L}\p{N}]+/gu)]
    .map(([whole, phrase]) => (phrase ?? whole).replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim())
    .filter((word) => word !== "");
  if (words.length > 0) return words;
  throw invalid("query", "has no word to look for");
}

function placeOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "is not one of an earlier answer");
}

function invalid(path: string, message: string): DomainError {
  return invalidInput(path, message, { sentence: `${path} ${message}` });
}
