/** Every list at 80 columns, with long names, wide letters and whole ids in it: no line is wider, no word is broken. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelRun, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
const long = "Begrenze die Bestellungen je Kundin, damit 注文の割引を計算する関数が 👩‍👩‍👧‍👦 nicht mehr als einmal läuft";
/** Counted here by the letters that the texts above have, not by the product's own rule. */
const columnsOf = (line: string): number =>
  [...line.replaceAll("👩‍👩‍👧‍👦", "xx")].reduce(
    (sum, letter) => sum + (/[\p{Script=Han}\p{Script=Hiragana}]/u.test(letter) ? 2 : 1),
    0,
  );
const path = "packages/checkout/src/discounts/percentage/注文/割引/apply-discount-to-orders.ts";

const lists: readonly (readonly string[])[] = [
  ["who"],
  ["reservations"],
  ["check", path],
  ["work", "list"],
  ["ready"],
  ["work", "notices", "--as", "heron"],
  ["mail", "overdue"],
  ["finding", "list"],
  ["session", "list"],
  ["session", "stats"],
  ["session", "messages", "long"],
  ["runs"],
  ["dag", "list"],
  ["history"],
  ["project", "list"],
  ["provider", "list"],
  ["skills", "list", "--role", "librarian"],
  ["skills", "loaded", "--role", "librarian"],
  ["worktree", "list"],
  ["health"],
  ["incident", "list"],
  ["audit", "list"],
  ["file", "history"],
  ["config", "show"],
  ["cost"],
  ["status"],
  ["id", "a"],
  ["work"],
  ["ask", "metrics"],
  ["reservations", "stats"],
  ["agent", "show", "heron"],
  ["agent", "handoff", "heron"],
];

beforeAll(async () => {
  daemon = await openScratchDaemon();
  const { user } = daemon;
  const heron = await daemon.register("heron");
  const otter = await daemon.register("otter-with-a-name-as-long-as-one-may-be");
  for (const { client } of [heron, otter]) {
    const { workItem } = await client.call("work-item.create", { title: long, labels: ["very-long-label"] });
    await client.call("work-item.claim", { id: workItem.id });
    await client.call("work-item.create", { title: `${long} ${long}` });
    await client.call("finding.add", {
      summary: long,
      severity: "blocking",
      category: "correctness",
      files: [{ path, line: 42 }],
    });
  }
  await heron.client.call("reservation.acquire", { paths: [path, `${path}.test.ts`], reason: long });
  await otter.client.call("reservation.acquire", {
    paths: ["src/other.ts"],
    patterns: [`packages/**/${"x".repeat(60)}/*.ts`],
  });
  await otter.client.call("mail.send", { to: ["heron"], subject: long, body: long, ackWithinMs: 1_000 });
  await user.call("session.create", { name: `long ${long}`.slice(0, 100) });
  await user.call("provider.add", {
    name: "a-provider-of-mine",
    kind: "openai-compatible",
    model: "some-vendor/some-model-with-a-very-long-name-2026-11-18",
    baseUrl: "http://127.0.0.1:65000/a/very/long/address/of/a/server/v1",
  });
  await heron.client.call("worktree.create", { name: "a-worktree-with-a-long-name" });
  for (let time = 0; time < 6; time++)
    await heron.client.call("health.report", {
      reports: [{ kind: "hook", component: `pre-edit-${"x".repeat(40)}`, outcome: "failed", error: `${long} ${path}` }],
    });
  mkdirSync(join(daemon.repository, "src"), { recursive: true });
  writeFileSync(join(daemon.repository, "src", "割引.ts"), "export {};\n");
  const run = await startRun({ daemon });
  await waitingApproval(run, { daemon });
  await cancelRun(run, { daemon });
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe.each([80, 100, 60])("at %i columns", (columns) => {
  it.each(lists.map((words) => [words.join(" "), words] as const))(
    "sylk %s keeps to the width [CORE-30]",
    async (_, words) => {
      // Not a terminal: 80 columns unless COLUMNS says otherwise.
      const { code, stdout, stderr } = await daemon.sylk(words, {
        env: { COLUMNS: columns === 80 ? "" : String(columns) },
      });
      expect(code, stderr).toBe(0);
      for (const line of stdout.split("\n")) expect(columnsOf(line), line).toBeLessThanOrEqual(columns);
    },
  );
});

it("breaks no word over two lines [CORE-30]", async () => {
  const { stdout } = await daemon.sylk(["work", "list"], { env: { COLUMNS: "" } });
  for (const word of ["Begrenze", "Bestellungen", "Kundin,", "damit", "nicht", "einmal", "läuft"])
    // Four items, two of them with the sentence twice.
    expect(
      stdout.split(/\s+/).filter((shown) => shown === word),
      word,
    ).toHaveLength(6);
});

it("--json is never shortened [CORE-30]", async () => {
  const { stdout } = await daemon.sylk(["work", "list", "--json"], { env: { COLUMNS: "40" } });
  const { items } = JSON.parse(stdout) as { items: { id: string; title: string }[] };
  expect(items.every(({ id }) => id.length === 26)).toBe(true);
  expect(items.some(({ title }) => title === `${long} ${long}`)).toBe(true);
});

it("ids of a narrow table are unique starts that commands take [CORE-29, CORE-30]", async () => {
  const { stdout } = await daemon.sylk(["work", "list"], { env: { COLUMNS: "" } });
  const starts = [...stdout.matchAll(/^(wrk_\w+)/gm)].map(([, start]) => start!);
  expect(starts).toHaveLength(4);
  for (const start of starts) {
    expect(start.length).toBeLessThan(26);
    expect((await daemon.sylk(["work", "show", start])).code).toBe(0);
  }
});
