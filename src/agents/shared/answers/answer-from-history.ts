/** The Archivalist outside of a run: what was asked and done before, found in the archive by the words of the question. */
import type { HistoryEntry, Message, PayloadOf } from "../../../contract/index.ts";
import { answerMessages, type RoleHandler } from "../../../orchestration/guide/index.ts";
import { questionWords } from "./question-words.ts";

type Ports = {
  /** Entries of the asker's project in which all words occur, newest first. */
  readonly search: (asked: Message, words: readonly string[], limit: number) => Promise<readonly HistoryEntry[]>;
};

const mostFound = 8;
const mostWords = 6;

export function answerFromHistory({ search }: Ports): RoleHandler {
  const recall = (message: Message, question: string) =>
    find(message, questionWords(question).slice(0, mostWords), search);
  return answerMessages({
    HISTORY_REQUEST: async (message) => ({
      type: "HISTORY_RESPONSE",
      payload: { entries: [...(await recall(message, message.payload.question))] },
    }),
    USER_INPUT: async (message) => ({
      type: "USER_RESPONSE",
      payload: responseOf(await recall(message, message.payload.text)),
    }),
  });
}

/** With all words if there is such an entry; else those with most of them. */
async function find(
  message: Message,
  words: readonly string[],
  search: Ports["search"],
): Promise<readonly HistoryEntry[]> {
  const exact = await search(message, words, mostFound);
  if (exact.length > 0 || words.length < 2) return exact;
  const byWord = await Promise.all(words.map((word) => search(message, [word], mostFound)));
  const found = new Map<string, { readonly entry: HistoryEntry; times: number }>();
  for (const entry of byWord.flat()) {
    const known = found.get(entry.id) ?? { entry, times: 0 };
    known.times++;
    found.set(entry.id, known);
  }
  const ranked = [...found.values()].sort((a, b) => b.times - a.times || b.entry.at - a.entry.at);
  return ranked.slice(0, mostFound).map(({ entry }) => entry);
}

function responseOf(entries: readonly HistoryEntry[]): PayloadOf<"USER_RESPONSE"> {
  const runs = entries.map(({ id, title, content, at }) => {
    const { status, reason } = content as { readonly status?: unknown; readonly reason?: unknown };
    return {
      id,
      title: title.split("\n")[0]!.slice(0, 120),
      status: typeof status === "string" ? status : "unknown",
      ...(typeof reason === "string" ? { reason } : {}),
      at,
    };
  });
  if (runs.length === 0)
    return { text: 'Nothing in the archive is about that; "sylk history" lists all of it', data: { runs } };
  const lines = runs.map(
    ({ id, title, status, reason, at }) =>
      `${new Date(at).toISOString().slice(0, 10)}  ${status}  ${title}  ${id}${reason === undefined ? "" : `\n  ${reason}`}`,
  );
  return { text: lines.join("\n"), data: { runs } };
}
