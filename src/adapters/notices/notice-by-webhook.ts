/** Tells a person by a web address of theirs: one POST with JSON, in bounded time, tried three times. */
import type { SendNotice } from "../../oversight/notify/index.ts";
import { type Clock, pause } from "../../platform/clock/index.ts";

const timeoutMs = 5_000;
const pausesMs = [1_000, 5_000];

export function noticeByWebhook(
  url: string,
  { clock, clean }: { readonly clock: Clock; readonly clean: <T>(value: T) => T },
): SendNotice {
  return async ({ text, items }) => {
    const shown = items.map(({ id, kind, question, project, by, createdAt }) => ({
      id,
      kind,
      question,
      project,
      by,
      createdAt,
    }));
    const body = JSON.stringify(clean({ text, items: shown }));
    for (const [attempt, pauseMs] of [...pausesMs, undefined].entries()) {
      try {
        return await post(url, body);
      } catch (cause) {
        if (pauseMs === undefined)
          throw new Error(
            `notify.webhook: ${new URL(url).host} did not take it in ${attempt + 1} attempts: ${String(cause)}`,
            {
              cause,
            },
          );
        await pause(pauseMs, clock, undefined);
      }
    }
  };
}

async function post(url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeoutMs); // clock-exempt: it bounds a real connection
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}
