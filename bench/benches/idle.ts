/** What an idle daemon costs. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Figure, Unit } from "../bench.ts";
import { openConnection } from "../load/wire-connection.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { activityOf, memoryOf } from "../processes/process-usage.ts";
import { exitOf } from "../processes/run-child.ts";
import { benchEnv, scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";

const each = 3;
const settleSeconds = 10;
const idleSeconds = 20;
const mostRssMb = 90;

const kinds = ["empty", "oneAgent", "bareNode"] as const;
type Kind = (typeof kinds)[number];
type Usage = {
  readonly rssMb: number;
  readonly anonymousMb: number;
  readonly cpuMsPerSecond: number;
  readonly switchesPerSecond: number;
};

export const idle: Bench = {
  name: "idle",
  method: `${each} daemons without agents, ${each} with one registered agent and ${each} bare Node processes side by side; memory ${settleSeconds} s after the last was started, processor time and voluntary context switches (about one per wake-up) of all threads over the ${idleSeconds} s that follow.`,
  async run() {
    using scratch = scratchFolder();
    await using processes = new AsyncDisposableStack();
    const pids: Record<Kind, number[]> = { empty: [], oneAgent: [], bareNode: [] };
    for (let index = 0; index < each; index++) {
      for (const kind of ["empty", "oneAgent"] as const) {
        const daemon = processes.use(await upDaemon(folder(scratch.path, `${kind}-${index}`)));
        if (kind === "oneAgent") await registerAgent(daemon);
        pids[kind].push(daemon.pid);
      }
      const bare = processes.use(bareNode());
      pids.bareNode.push(bare.pid);
    }
    await sleep(settleSeconds * 1000);
    const usage = await usageOf(pids);
    return figuresOf(usage);
  },
};

function folder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function bareNode(): AsyncDisposable & { readonly pid: number } {
  const child = spawn(process.execPath, ["-e", "setInterval(()=>{},1e9)"], { stdio: "ignore", env: benchEnv({}) });
  const gone = exitOf(child);
  return {
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

async function registerAgent({ home, unix, userToken }: Daemon): Promise<void> {
  const body = JSON.stringify({ sessionKey: "bench", client: "other", project: { path: home } });
  const connection = await openConnection(unix);
  const { status } = await connection.send(
    `POST /v1/agents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${userToken}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  connection.close();
  if (status !== 200) throw new Error(`the agent was not registered: ${status}`);
}

async function usageOf(pids: Readonly<Record<Kind, readonly number[]>>): Promise<Record<Kind, readonly Usage[]>> {
  const look = () => kinds.map((kind) => pids[kind].map((pid) => ({ ...memoryOf(pid), ...activityOf(pid) })));
  const before = look();
  await sleep(idleSeconds * 1000);
  const after = look();
  const usage = kinds.map((kind, row) => [
    kind,
    before[row]!.map((then, column): Usage => {
      const now = after[row]![column]!;
      return {
        rssMb: then.rssMb,
        anonymousMb: then.anonymousMb,
        cpuMsPerSecond: (now.cpuMs - then.cpuMs) / idleSeconds,
        switchesPerSecond: (now.switches - then.switches) / idleSeconds,
      };
    }),
  ]);
  return Object.fromEntries(usage) as Record<Kind, readonly Usage[]>;
}

function figuresOf(usage: Readonly<Record<Kind, readonly Usage[]>>): Figure[] {
  const figure = (what: string, kind: Kind, field: keyof Usage, unit: Unit): Figure => {
    const rounds = usage[kind].map((one) => one[field]);
    const bare = median(usage.bareNode.map((one) => one[field]));
    return { what, value: median(rounds), unit, rounds, floor: { what: "bare Node", value: bare, unit } };
  };
  const below = (found: Figure, limit: number, text: string): Figure => ({
    ...found,
    target: { text, met: found.value < limit },
  });
  const rssText = `< ${mostRssMb} MB`;
  return [
    below(figure("resident memory", "empty", "rssMb", "MB"), mostRssMb, rssText),
    below(figure("resident memory, one agent", "oneAgent", "rssMb", "MB"), mostRssMb, rssText),
    figure("of it anonymous (not shared with other Node processes)", "empty", "anonymousMb", "MB"),
    figure("processor time per second of idling", "empty", "cpuMsPerSecond", "ms"),
    figure("processor time per second of idling, one agent", "oneAgent", "cpuMsPerSecond", "ms"),
    figure("voluntary context switches", "empty", "switchesPerSecond", "switches/s"),
    figure("voluntary context switches, one agent", "oneAgent", "switchesPerSecond", "switches/s"),
  ];
}
