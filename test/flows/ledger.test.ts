/** What clients used, asked by `sylk cost`: with and without a daemon the same sums, from files on the disk. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { LedgerReport } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";

const line = (id: string, session: string, output: number, at = "2026-03-01T10:00:00Z") =>
  `${JSON.stringify({ type: "assistant", sessionId: session, requestId: `r-${id}`, timestamp: at, message: { id, model: "my-model", usage: { input_tokens: 1_000_000, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } } })}\n`;

function transcript({ env }: ScratchHome, name: string): string {
  const file = join(env.HOME!, ".claude", "projects", "-shop", `${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

it("adds up transcripts without a daemon and without set-up, and says what is missing [COST-8, DUAL-7]", async () => {
  await using home = openScratchHome();
  writeFileSync(transcript(home, "s1"), line("a", "s1", 3) + line("a", "s1", 9) + line("b", "s1", 1));
  writeFileSync(transcript(home, "s2"), line("a", "s2", 9, "2026-03-02T10:00:00Z"));
  const report = jsonOf<LedgerReport>(await home.sylk(["cost", "--by", "session", "--json"]));
  expect(report.items).toMatchObject([{ name: "s1", calls: 2, input: 2_000_000, output: 10, usd: null, unpriced: 2 }]);
  expect(report.missing).toEqual([expect.stringContaining("no daemon runs")]);
  expect(existsSync(home.paths.database)).toBe(false);

  mkdirSync(home.paths.home, { recursive: true });
  writeFileSync(join(home.paths.home, "prices.yaml"), "- { model: my-model, from: 2026-01-01, input: 2, output: 0 }\n");
  const people = await home.sylk(["cost"]);
  expect(people.stdout).toContain("$4.00");
  expect(people.stdout).toContain("█");
  writeFileSync(join(home.paths.home, "prices.yaml"), "- { model: my-model }\n");
  const refused = await home.sylk(["cost"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("prices.yaml")]);
});

it("counts a call once after a fork, for the session that made it, and no record of a request [COST-1]", async () => {
  await using home = openScratchHome();
  const calls = [line("a", "s9", 3), line("b", "s9", 4)];
  const message = { ...(JSON.parse(calls[0]!) as { message: object }).message, role: "assistant" };
  const blob = { type: "api-request-blob", sessionId: "s9", requestId: "r-x", hash: "h", message };
  const request = { type: "api-request", sessionId: "s9", id: "r-x", params: { usage: message } };
  writeFileSync(transcript(home, "s9"), `${calls.join("")}${JSON.stringify(blob)}\n${JSON.stringify(request)}\n`);
  const forked = (row: string, index: number) =>
    `${JSON.stringify({ ...JSON.parse(row), sessionId: "s1", forkedFrom: { sessionId: "s9", messageUuid: `u-${index}` } })}\n`;
  writeFileSync(transcript(home, "s1"), `${calls.map(forked).join("")}${line("c", "s1", 5)}`);
  const report = jsonOf<LedgerReport>(await home.sylk(["cost", "--by", "session", "--json"]));
  expect(report.items.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
    { name: "s1", calls: 1, output: 5 },
    { name: "s9", calls: 2, output: 7 },
  ]);
});

it("reads on by itself, remembers what a client swept away, and knows the work item a call was for [COST-1]", async () => {
  await using daemon = await openScratchDaemon();
  const file = transcript(daemon, "s1");
  writeFileSync(file, line("a", "s1", 5));
  const asked = (by: LedgerReport["by"]) => daemon.user.call("ledger.show", { by });
  expect((await asked("model")).total).toMatchObject({ calls: 1, output: 5 });
  const { token } = await daemon.user.call("agent.register", {
    sessionKey: "s1",
    client: "claude-code",
    project: { path: daemon.repository },
  });
  const { workItem } = await daemon.clientOf({ token }).call("work-item.create", { title: "rate limits" });
  await daemon.clientOf({ token }).call("work-item.claim", { id: workItem.id });
  appendFileSync(file, line("b", "s1", 7, "2099-01-01T00:00:00Z"));
  expect((await asked("work-item")).items).toMatchObject([
    { name: workItem.id, output: 7 },
    { name: "none", output: 5 },
  ]);
  writeFileSync(file, line("c", "s1", 11));
  await daemon.kill();
  await daemon.restart();
  expect((await asked("session")).items).toMatchObject([{ name: "s1", calls: 3, output: 23 }]);
  const since = Date.parse("2030-01-01T00:00:00Z");
  expect((await daemon.user.call("ledger.show", { by: "day", since })).items).toMatchObject([
    { name: "2099-01-01", calls: 1 },
  ]);
});
