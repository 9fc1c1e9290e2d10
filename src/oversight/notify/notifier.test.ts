import { join } from "node:path";
import { expect, it } from "vitest";
import type { InboxItem } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { createNotifier, sqliteNotices, type Notice } from "./index.ts";

const hourMs = 3_600_000;
/** Ten in the evening, local time. */
const evening = new Date(2026, 10, 18, 22, 0).getTime();

function item(question: string, more: Partial<InboxItem> = {}): InboxItem {
  const asked = { id: `apr_${question}`, run: "run_1", kind: "command", question, details: [], status: "waiting" };
  const known = { createdAt: 1, by: "engineer otter", project: "shop", byDefault: "it waits", holdsFor: "this run" };
  return { ...asked, ...known, ...more } as unknown as InboxItem;
}

function world(quietHours = "", start = evening) {
  const folder = scratchFolder();
  const clock = manualClock({ wall: start, monotonic: 0 });
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { notices: sqliteNotices },
    onDefect: (error) => {
      throw error;
    },
  });
  const sent: Notice[] = [];
  const failed: unknown[] = [];
  const waiting: InboxItem[] = [];
  let fails = false;
  const next = () =>
    createNotifier({
      store,
      clock,
      quietHours,
      waiting: async () => waiting,
      senders: [
        async (notice) => {
          if (fails) throw new Error("the door is shut");
          sent.push(notice);
        },
      ],
      onFailed: (error) => failed.push(error),
    });
  return {
    clock,
    store,
    sent,
    failed,
    waiting,
    next,
    fail: () => void (fails = true),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

it("tells once for each cause, also after a restart and when the question is asked anew", async () => {
  using at = world();
  at.waiting.push(item("Run npm ci?"), item("Run npm ci?", { id: "apr_2" as never }));
  await at.next().look();
  await at.next().look(); // the next daemon
  at.waiting.splice(0, 2, item("Run npm ci?", { id: "apr_3" as never }));
  await at.next().look();
  expect(at.sent.map(({ text }) => text)).toEqual(["shop: Run npm ci? (engineer otter asks; sylk approvals)"]);
  at.waiting.push(item("Run make?"));
  await at.next().look();
  expect(at.sent).toHaveLength(2);
});

it("holds what comes in quiet hours, and sums up afterwards what still waits", async () => {
  using at = world("22:00-07:00");
  const notifier = at.next();
  at.waiting.push(item("one"), item("two"), item("settled in the night"));
  await notifier.look();
  at.clock.advance(9 * hourMs - 60_000);
  await notifier.look();
  expect(at.sent, "06:59").toEqual([]);
  at.waiting.pop();
  at.clock.advance(60_000);
  await notifier.look();
  expect(at.sent.map(({ text }) => text)).toEqual(["2 decisions wait for you in shop (sylk approvals)"]);
});

it("wakes by itself at the end of quiet hours", async () => {
  using at = world("22:00-07:00");
  at.waiting.push(item("one"));
  await at.next().look();
  at.clock.advance(9 * hourMs);
  await expect.poll(() => at.sent.length).toBe(1);
});

it("counts what could not be sent and does not repeat it", async () => {
  using at = world();
  at.waiting.push(item("one"));
  at.fail();
  await at.next().look();
  await at.next().look();
  expect(at.failed).toHaveLength(1);
  expect(await at.store.reader.notices.failures()).toEqual({ count: 1, last: "Error: the door is shut" });
});

it("tells a cause again that retention removed", async () => {
  using at = world();
  at.waiting.push(item("one"));
  await at.next().look();
  const removeBefore = (time: number) => at.store.transact("retention", (tx) => tx.notices.removeBefore(time));
  await removeBefore(at.clock.now());
  await at.next().look();
  expect(at.sent).toHaveLength(1);
  await removeBefore(at.clock.now() + 1);
  await at.next().look();
  expect(at.sent).toHaveLength(2);
});
