/** What it costs to read transcripts: all of them for the first time, and again after one more answer. */
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { openConnection } from "../load/wire-connection.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";

const megabytes = 1_000;
const perFile = 4;
const rounds = 5;
const mostColdMs = 10_000;
const mostAgainMs = 50;

export const ledger: Bench = {
  name: "ledger",
  method: `${megabytes.toLocaleString("en")} MB of generated Claude Code transcripts in files of ${perFile} MB, three lines an answer, most bytes in lines without usage; ledger.show since the last hour over the unix socket: cold, then ${rounds} times after one more answer; once over all time. The floor reads the same bytes and does nothing with them.`,
  async run() {
    using scratch = scratchFolder();
    const folder = join(scratch.path, ".claude", "projects", "-shop");
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < megabytes / perFile; file++)
      writeFileSync(join(folder, `s${file}.jsonl`), transcript(file));
    await using daemon = await upDaemon(join(scratch.path, "home"), { HOME: scratch.path });
    const lastHour = `?since=${Date.now() - 3_600_000}`;
    const cold = await show(daemon, lastHour);
    const again: number[] = [];
    for (let round = 0; round < rounds; round++) {
      appendFileSync(join(folder, "s0.jsonl"), answer(`later-${round}`, 1));
      again.push(await show(daemon, lastHour));
    }
    const everything = await show(daemon, "");
    const floor = readAll(folder);
    return [
      {
        what: `${megabytes.toLocaleString("en")} MB for the first time`,
        value: cold,
        unit: "ms",
        rounds: [cold],
        floor: { what: "reading the bytes", value: floor, unit: "ms" },
        target: { text: `< ${mostColdMs} ms`, met: cold < mostColdMs },
      },
      {
        what: "after one more answer",
        value: median(again),
        unit: "ms",
        rounds: again,
        target: { text: `< ${mostAgainMs} ms`, met: median(again) < mostAgainMs },
      },
      { what: "every call there is, by model", value: everything, unit: "ms", rounds: [everything] },
    ];
  },
};

async function show({ unix, userToken }: Daemon, query: string): Promise<number> {
  const connection = await openConnection(unix);
  const startedAt = performance.now();
  const { status } = await connection.send(
    `GET /v1/ledger${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${userToken}\r\n\r\n`,
  );
  const ms = performance.now() - startedAt;
  connection.close();
  if (status !== 200) throw new Error(`ledger.show answered ${status}`);
  return ms;
}

function readAll(folder: string): number {
  const startedAt = performance.now();
  for (const name of readdirSync(folder)) readFileSync(join(folder, name));
  return performance.now() - startedAt;
}

function transcript(file: number): string {
  const talk = `${JSON.stringify({ type: "user", message: { content: "x".repeat(8_000) } })}\n`;
  const lines: string[] = [];
  for (let bytes = 0, call = 0; bytes < perFile * 1_000_000; call++) {
    const id = `${file}-${call}`;
    const turn = talk + answer(id, 1) + answer(id, 40) + answer(id, 900);
    lines.push(turn);
    bytes += turn.length;
  }
  return lines.join("");
}

function answer(id: string, output: number): string {
  const usage = {
    input_tokens: 10,
    output_tokens: output,
    cache_read_input_tokens: 50_000,
    cache_creation_input_tokens: 900,
  };
  const message = { id: `msg-${id}`, model: "model-a", content: [{ type: "text", text: "x".repeat(600) }], usage };
  return `${JSON.stringify({ type: "assistant", sessionId: "s", requestId: `req-${id}`, timestamp: "2026-01-01T00:00:00Z", message })}\n`;
}
