/**
 * Messages as threads.
 *
 *   messages -> one thread for each first message -> its messages by time -> threads with the newest message first
 *
 * Invariant: every message is in exactly one thread.
 */
import type { Mail } from "../daemon/contract.ts";

export type MailThread = {
  readonly id: string;
  /** The oldest first. */
  readonly messages: readonly Mail[];
};
export type ThreadFilter = {
  /** Part of the name of a sender or receiver. */
  readonly agent?: string | undefined;
  /** Ids of unread messages; where given, only threads that have one. */
  readonly unread?: ReadonlySet<string> | undefined;
};

export function buildThreads(messages: readonly Mail[]): readonly MailThread[] {
  const threads = new Map<string, Map<string, Mail>>();
  for (const message of messages) {
    const known = threads.get(message.thread);
    if (known === undefined) threads.set(message.thread, new Map([[message.id, message]]));
    else known.set(message.id, message);
  }
  return [...threads]
    .map(([id, members]) => ({ id, messages: [...members.values()].toSorted(byTime) }))
    .toSorted((a, b) => byTime(b.messages.at(-1)!, a.messages.at(-1)!));
}

export function filterThreads(
  threads: readonly MailThread[],
  { agent = "", unread }: ThreadFilter,
): readonly MailThread[] {
  const name = agent.toLowerCase();
  const isWith = ({ from, to = [] }: Mail): boolean =>
    [from, ...to].some((one) => one.name.toLowerCase().includes(name));
  return threads.filter(
    ({ messages }) =>
      (name === "" || messages.some(isWith)) && (unread === undefined || messages.some(({ id }) => unread.has(id))),
  );
}

/** "otter, heron@shop", "topic api/orders" or "everyone". */
export function audienceOf({ to, topic, everyone }: Mail): string {
  if (everyone === true) return "everyone";
  if (topic !== undefined) return `topic ${topic}`;
  return (to ?? []).map(({ name, project }) => (project === undefined ? name : `${name}@${project}`)).join(", ");
}

/** The message that a reply answers: the newest that the person did not write; to whom, where they wrote all. */
export function replyTarget({ messages }: MailThread): { readonly replyTo: Mail; readonly to?: readonly string[] } {
  const last = messages.at(-1)!;
  const others = messages.findLast(({ from }) => from.client !== "human");
  if (others !== undefined) return { replyTo: others };
  return last.to === undefined ? { replyTo: last } : { replyTo: last, to: last.to.map(({ id }) => id) };
}

const longestLines = 12;
const longestText = 800;

/** The beginning of a long text; undefined where all of it is shown. */
export function foldText(text: string): string | undefined {
  const lines = text.split("\n");
  if (lines.length <= longestLines && text.length <= longestText) return undefined;
  return `${[...lines.slice(0, longestLines).join("\n")].slice(0, longestText).join("")}…`;
}

/** By time; ids are in the order of time too, and decide between equal ones. */
function byTime(a: Mail, b: Mail): number {
  return a.sentAt - b.sentAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
