/** For every test file of every suite: the reporter learns how much processor time the file and its processes used. */
import { setImmediate } from "node:timers/promises";
import { afterAll } from "vitest";
import { processorSeconds } from "./processor-time.ts";

declare module "vitest" {
  interface TaskMeta {
    processorSeconds?: number;
  }
}

/** Files that share a process share this too: each is charged with the time since the end of the file before it. */
const shared = globalThis as { sylkProcessorSeconds?: number };

// Hooks run in reverse order: the file's own have ended its daemons by then.
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures here; none is used
afterAll(async ({}, suite) => {
  // The time of a process counts once its end was fetched, which Node does in one of its next turns.
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  const now = processorSeconds();
  if (now === undefined) return;
  suite.meta.processorSeconds = Math.round((now - (shared.sylkProcessorSeconds ?? 0)) * 100) / 100;
  shared.sylkProcessorSeconds = now;
});
