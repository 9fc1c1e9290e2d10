/**
 * Counts tokens in a thread that lives only as long: the tokenizer's tables take 80 MB, which a process should not hold that
 * counts once in a while.
 *
 *   countInThread(texts) -> this very file as a thread -> counts -> the thread and its memory are gone
 *
 * Loaded on demand only, so that a build gives it a file of its own.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

type Given = { readonly sylkTokens: readonly string[] };

export function countInThread(texts: readonly string[]): Promise<readonly number[]> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { sylkTokens: texts } satisfies Given });
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the thread that counts tokens ended without an answer")));
  });
}

if (!isMainThread && isGiven(workerData)) {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // What looks like a special token in a text is text.
  const asText = { disallowedSpecial: new Set<string>() };
  const counts = workerData.sylkTokens.map((text) => countTokens(text, asText));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(counts);
}

function isGiven(data: unknown): data is Given {
  return typeof data === "object" && data !== null && "sylkTokens" in data;
}
