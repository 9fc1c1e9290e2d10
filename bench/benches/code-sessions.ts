/** What the daemon weighs while many sessions ask about the code of one project. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Figure } from "../bench.ts";
import { copyThisRepository } from "../load/code-trees.ts";
import { openConnection } from "../load/wire-connection.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { residentMbOf } from "../processes/measure-tree.ts";

const [few, many] = [1, 50];
const rounds = 20;
const lookMs = 100;
const settleMs = 10_000;
const mostMb = 500;
const words = ["openDerivedFile", "reservation conflict", "checksum of a saved session", "index", "run"];

type Weight = { readonly indexing: number; readonly asking: number; readonly settled: number };

export const codeSessions: Bench = {
  name: "code-sessions",
  method: `A daemon of its own for ${few} session and for ${many} sessions of one project, a clone of this repository. Each session is an agent with a connection of its own; all ask at once: until the project is indexed from nothing, then ${rounds} questions each (\`code.find\`, \`code.search\` ranked, \`code.symbols\`). Resident memory of the daemon with all its threads and the processes it started, at its largest, looked at every ${lookMs} ms, and ${settleMs / 1_000} s after the last question.`,
  async run() {
    using trees = copyThisRepository();
    const one = await weigh(few, trees.own, join(trees.folder, "one"));
    const all = await weigh(many, trees.own, join(trees.folder, "many"));
    return [
      figureOf("while the index is built", one.indexing, all.indexing, mostMb),
      figureOf("while all ask", one.asking, all.asking, mostMb),
      figureOf(`${settleMs / 1_000} s after the last question`, one.settled, all.settled, mostMb),
    ];
  },
};

async function weigh(sessions: number, tree: string, home: string): Promise<Weight> {
  mkdirSync(home, { mode: 0o700 });
  await using daemon = await upDaemon(home);
  const asks = await Promise.all(Array.from({ length: sessions }, (_, at) => openSession(daemon, tree, at)));
  const indexing = await peakDuring(daemon.pid, () => Promise.all(asks.map(untilIndexed)));
  const asking = await peakDuring(daemon.pid, () =>
    Promise.all(
      asks.map(async (ask, at) => {
        for (let round = 0; round < rounds; round++) {
          const text = encodeURIComponent(words[(round + at) % words.length]!);
          await ask(`/v1/code/find?text=${text}`);
          await ask(`/v1/code/search?text=${text}&ranked=true`);
          await ask(`/v1/code/symbols?name=${text}`);
        }
      }),
    ),
  );
  await sleep(settleMs);
  return { indexing, asking, settled: residentMbOf(daemon.pid) };
}

type Ask = (path: string) => Promise<string>;

async function openSession({ unix, userToken }: Daemon, tree: string, at: number): Promise<Ask> {
  const connection = await openConnection(unix);
  const send = async (line: string, token: string, input?: object): Promise<string> => {
    const body = input === undefined ? "" : JSON.stringify(input);
    const type = body === "" ? "" : "content-type: application/json\r\n";
    const head = `host: localhost\r\nauthorization: Bearer ${token}\r\n${type}content-length: ${body.length}\r\n\r\n`;
    const answer = await connection.send(`${line} HTTP/1.1\r\n${head}${body}`);
    if (answer.status !== 200) throw new Error(`${line}: ${answer.status} ${answer.body}`);
    return answer.body;
  };
  const registered = await send("POST /v1/agents", userToken, {
    sessionKey: `code-${at}`,
    client: "bench",
    project: { path: tree },
  });
  const { token } = JSON.parse(registered) as { readonly token: string };
  return (path) => send(`GET ${path}`, token);
}

async function untilIndexed(ask: Ask): Promise<void> {
  for (;;) {
    const answer = await ask("/v1/code/symbols?name=nothing&exact=true&waitMs=60000");
    const { about } = JSON.parse(answer) as { about: { notIndexed: { waiting: number } } };
    if (about.notIndexed.waiting === 0) return;
  }
}

async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = (): void => void (peak = Math.max(peak, residentMbOf(pid)));
  const timer = setInterval(look, lookMs);
  await work();
  clearInterval(timer);
  look();
  return peak;
}

function figureOf(when: string, one: number, all: number, most: number): Figure {
  return {
    what: `${many} sessions, ${when}`,
    value: all,
    unit: "MB",
    rounds: [],
    floor: { what: `${few} session`, value: one, unit: "MB" },
    target: { text: `< ${most} MB`, met: all < most },
  };
}
