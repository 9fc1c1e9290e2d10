/** How soon a holder is told of a write past the guard, and of a commit past the gate. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { upDaemon, type Daemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";

const files = 30;
const commits = 10;
const pauseMs = 100;
const mostMs = 500;

export const watch: Bench = {
  name: "watch",
  method: `One agent holds ${files} files in a tree. Another process writes each of them, ${pauseMs} ms apart, while a second agent has a command with unknown write targets under way: time from the write until the holder's notice is listed, with the likely writer. Then ${commits} commits of held files with core.hooksPath=/dev/null, which asks no hook: time from the end of git until the holder's notice is listed.`,
  async run() {
    using scratch = scratchFolder();
    await using daemon = await upDaemon(scratch.path);
    const repository = repositoryOf(scratch.path);
    try {
      return await measured(daemon, repository);
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

async function measured(daemon: Daemon, repository: string): Promise<Figure[]> {
  const [heron, otter] = [await register("heron", daemon, repository), await register("otter", daemon, repository)];
  const paths = Array.from({ length: files }, (_, index) => pathOf(index));
  await heron.call("reservation.acquire", { paths: [...paths, "src/probe.ts"] });
  await otter.call("guard.write", { unknown: ["make"], call: "t1" });
  const write = (path: string): void =>
    writeFileSync(join(repository, path), `export const at = ${performance.now()};\n`);
  for (let probe = 0; (await told(heron, "src/probe.ts")) === undefined; probe++) {
    if (probe > 200) throw new Error("the tree is not watched");
    write("src/probe.ts");
    await sleep(50);
  }
  const writes: number[] = [];
  for (const path of paths) {
    await sleep(pauseMs);
    const startedAt = performance.now();
    write(path);
    const said = await untilTold(heron, `${path}, held by heron`);
    if (!said.includes("otter")) throw new Error(`the writer is not named: ${said}`);
    writes.push(performance.now() - startedAt);
  }
  const found: number[] = [];
  for (const path of paths.slice(0, commits)) {
    await sleep(pauseMs);
    write(path);
    git(repository, "add", path);
    git(repository, "-c", "core.hooksPath=/dev/null", "commit", "-qm", path);
    const startedAt = performance.now();
    await untilTold(heron, `without the commit gate and contains ${path}`);
    found.push(performance.now() - startedAt);
  }
  return [
    figureOf("write past the guard until the holder is told, with the likely writer", writes),
    figureOf("commit past the gate until the holder is told", found),
  ];
}

function figureOf(what: string, times: readonly number[]): Figure {
  const value = median(times);
  return { what, value, unit: "ms", rounds: times, target: { text: `< ${mostMs} ms`, met: value < mostMs } };
}

async function untilTold(client: SylkClient, words: string): Promise<string> {
  const startedAt = performance.now();
  for (;;) {
    const said = await told(client, words);
    if (said !== undefined) return said;
    if (performance.now() - startedAt > 30_000) throw new Error(`no notice says "${words}"`);
    await sleep(2);
  }
}

async function told(client: SylkClient, words: string): Promise<string | undefined> {
  const { items } = await client.call("mail.inbox", { channel: "notices", limit: 200, maxBytes: 65_536 });
  return items.map(({ subject }) => subject).find((subject) => subject.includes(words));
}

async function register(name: string, daemon: Daemon, repository: string): Promise<SylkClient> {
  const transport = socketTransport((daemon.unix as { socket: string }).socket);
  const user = createClient({ transport, token: daemon.userToken, project: repository });
  const wanted = { sessionKey: name, client: "other", project: { path: repository }, name } as const;
  const { token } = await user.call("agent.register", wanted);
  return createClient({ transport, token });
}

function pathOf(index: number): string {
  return `src/held-${index}.ts`;
}

function git(repository: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.org", ...args], { cwd: repository });
}

function repositoryOf(home: string): string {
  const repository = mkdtempSync(`${home}-shop-`);
  mkdirSync(join(repository, "src"));
  for (let index = 0; index < files; index++) writeFileSync(join(repository, pathOf(index)), "export {};\n");
  git(repository, "init", "-q");
  git(repository, "add", "-A");
  git(repository, "commit", "-qm", "start");
  return repository;
}
