/**
 * Before a question reaches the Librarian its text is logged, whichever way it came: `sylk logs` shows what was asked.
 */
import type { Guide } from "../../orchestration/guide/index.ts";
import type { Log } from "../../platform/log/index.ts";

const longestQuestion = 200;

export function addQueryHooks(guide: Pick<Guide, "addHook">, log: Pick<Log, "info">): void {
  guide.addHook("pre-dispatch", {
    name: "librarian.pre-query",
    run({ to, from, session, type, payload }) {
      if (to !== "librarian") return;
      const { text = "", question = text } = payload as { readonly text?: string; readonly question?: string };
      log.info("librarian.query", { session, from, type, question: question.slice(0, longestQuestion) });
    },
  });
}
