/** The Archivalist outside of a run: what was asked and done before, found in the archive by the words of the question. */
import type { HistoryEntry, Message, PayloadOf } from "../../../contract/index.ts";
import { answerMessages, type RoleHandler } from "../../../orchestration/guide/index.ts";
import { questionWords } from "./question-words.ts";

type Ports = {
  /** Entries of the asker's session, and promoted ones, that hold one of the words; the best first. */
  readonly search: (asked: Message, words: readonly string[], limit: number) => Promise<readonly HistoryEntry[]>;
};

const mostFound = 8;
const mostWords = 6;

export function answerFromHistory({ search }: Ports): RoleHandler {
  const recall = (message: Message, question: string) =>
    search(message, questionWords(question).slice(0, mostWords), mostFound);
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

function responseOf(entries: readonly HistoryEntry[]): PayloadOf<"USER_RESPONSE"> {
  const found = entries.map(({ id, category, title, content, at }) => {
    const { status, reason } = content as { readonly status?: unknown; readonly reason?: unknown };
    return {
      id,
      category,
      title: title.split("\n")[0]!.slice(0, 120),
      ...(typeof status === "string" ? { status } : {}),
      ...(typeof reason === "string" ? { reason } : {}),
      at,
    };
  });
  if (found.length === 0)
    return {
      text: 'Nothing in this session is about that; "sylk history <words> --all-sessions" searches the others',
      data: { found },
    };
  const lines = found.map(
    ({ id, category, title, status = category, reason, at }) =>
      `${new Date(at).toISOString().slice(0, 10)}  ${status}  ${title}  ${id}${reason === undefined ? "" : `\n  ${reason}`}`,
  );
  return { text: lines.join("\n"), data: { found } };
}
