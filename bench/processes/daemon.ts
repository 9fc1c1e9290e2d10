/**
 * A real daemon for a benchmark.
 *
 *   upDaemon     by `sylk up`, as users get it, with whatever flags that passes on
 *   serveDaemon  by `sylk serve` as our own child, where the moment of its start matters
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, type Address } from "../load/wire-connection.ts";
import { exitOf } from "./run-child.ts";
import { benchEnv } from "./scratch-home.ts";

export const sylkBin = join(import.meta.dirname, "..", "..", "bin", "sylk.cjs");

export type Daemon = AsyncDisposable & {
  readonly pid: number;
  readonly home: string;
  readonly unix: Address;
  readonly tcp: Address;
  readonly userToken: string;
};

type DaemonRecord = { readonly pid: number; readonly socket: string; readonly url: string };

export function daemonEnv(home: string): Record<string, string> {
  return benchEnv({ SYLK_HOME: home, SYLK_HTTP_PORT: "0", SYLK_WORK_MAX_CLAIMS_PER_AGENT: "1000000" });
}

export async function upDaemon(home: string, settings: Readonly<Record<string, string>> = {}): Promise<Daemon> {
  const starter = spawn(process.execPath, [sylkBin, "up", "--json"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...daemonEnv(home), ...settings },
  });
  const code = await exitOf(starter);
  if (code !== 0) throw new Error(`"sylk up" ended with ${code}`);
  const { pid, socket, url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonRecord;
  return {
    pid,
    home,
    unix: { socket },
    tcp: { port: Number(new URL(url).port) },
    userToken: readFileSync(join(home, "token"), "utf8").trim(),
    [Symbol.asyncDispose]: () => end(pid),
  };
}

export type Start = { readonly readyAfterMs: number; stop(): Promise<void> };

/** From before the process exists until /healthz answers 200. */
export async function serveDaemon(home: string): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [sylkBin, "serve", "--background"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: daemonEnv(home),
  });
  const gone = exitOf(child);
  await untilHealthy({ socket: join(home, "sylk.sock") });
  return {
    readyAfterMs: performance.now() - startedAt,
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

const healthz = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
const startDeadlineMs = 30_000;

export async function untilHealthy(address: Address): Promise<void> {
  for (const deadline = performance.now() + startDeadlineMs; performance.now() < deadline; await sleep(2)) {
    try {
      const connection = await openConnection(address);
      const { status } = await connection.send(healthz);
      connection.close();
      if (status === 200) return;
    } catch {
      // Nobody listens yet.
    }
  }
  throw new Error(`no daemon answers at ${JSON.stringify(address)}`);
}

/** It is no child of ours: `sylk up` has left. The pid came from the record of the home that we made. */
async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (const deadline = performance.now() + startDeadlineMs; performance.now() < deadline; await sleep(5)) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  }
  throw new Error(`the daemon ${pid} does not end`);
}
