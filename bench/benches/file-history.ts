/** What local history costs: the hook beside a daemon without it, and a formatter that changes a thousand files at once. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { upDaemon, type Daemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const calls = 200;
const pauseMs = 40;
const rounds = 5;
const files = 1_000;
const mostRatio = 1.3;

export const fileHistory: Bench = {
  name: "file-history",
  method: `PreToolUse on the unix socket of two daemons, one with fileHistory.mode off: ${calls} interleaved calls of each, ${pauseMs} ms apart, for a file of 8 KB that stays as it is (a renewal), and for one that is rewritten before each call; ratio of the medians in ${rounds} rounds. Then ${files} tracked files of about 4 KB rewritten by one process in a tree with a live agent: time from the last write until file.history lists the change of each, and the size of contents on the disk beside that of the files.`,
  async run() {
    using scratch = scratchFolder();
    using without = scratchFolder();
    await using on = await upDaemon(scratch.path);
    await using off = await upDaemon(without.path, { SYLK_FILE_HISTORY_MODE: "off" });
    const repository = repositoryOf(scratch.path);
    try {
      return [
        await hookRatio("renewal with history / without", repository, [on, off], () => {}),
        await hookRatio("hook before a changed file with history / without", repository, [on, off], (call) =>
          writeFileSync(join(repository, "held.ts"), source(call)),
        ),
        ...(await formatter(on, repository)),
      ];
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

async function hookRatio(
  what: string,
  repository: string,
  daemons: readonly [Daemon, Daemon],
  prepare: (call: number) => void,
): Promise<Figure> {
  writeFileSync(join(repository, "held.ts"), source(0));
  const body = JSON.stringify({
    session_id: "bench",
    transcript_path: "/dev/null",
    cwd: repository,
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_use_id: "toolu_1",
    tool_input: { file_path: join(repository, "held.ts"), old_string: "a", new_string: "b" },
  });
  const [own, floor]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const times: [number[], number[]] = [[], []];
    for (let call = 0; call < calls / rounds; call++) {
      prepare(round * calls + call);
      // Tools take their time between two hooks; meanwhile the version before becomes durable.
      await sleep(pauseMs);
      // Each goes first half of the time: the first one finds colder caches.
      for (const index of call % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        times[index].push(await ask(daemons[index], body));
    }
    if (round < 0) continue; // both daemons are warm after it
    own.push(median(times[0]));
    floor.push(median(times[1]));
  }
  const perRound = ratios(own, floor);
  return {
    what,
    value: median(perRound),
    unit: "x",
    rounds: perRound,
    floor: { what: "without, median", value: median(floor), unit: "ms" },
    target: { text: `<= ${mostRatio} x`, met: median(perRound) <= mostRatio },
  };
}

async function formatter(daemon: Daemon, repository: string): Promise<Figure[]> {
  const client = createClient({
    transport: socketTransport((daemon.unix as { socket: string }).socket),
    token: daemon.userToken,
    project: repository,
  });
  await client.call("agent.register", {
    sessionKey: "formatter",
    client: "other",
    project: { path: repository },
    name: "otter",
  });
  await untilWatched(client, repository);
  const before = contentBytes(daemon.home);
  const [took, wrote]: [number[], number[]] = [[], []];
  let written = 0;
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: files }, (_, index) => source(index).replaceAll("  ", "\t".repeat(round + 1)));
    written += texts.reduce((sum, text) => sum + text.length, 0);
    const startedAt = performance.now();
    for (const [index, text] of texts.entries()) writeFileSync(join(repository, pathOf(index)), text);
    wrote.push(performance.now() - startedAt);
    // Changes are read in the order in which they were made.
    const last = pathOf(files - 1);
    while ((await client.call("file.history", { path: last })).items.length < round + 2) {
      if (performance.now() - startedAt > 30_000) throw new Error("not all changes were seen");
      await sleep(5);
    }
    took.push(performance.now() - startedAt);
  }
  const late = took.map((ms, round) => ms - wrote[round]!);
  const share = (contentBytes(daemon.home) - before) / (written / rounds);
  if ((await changedFiles(client)) < files * rounds) throw new Error("a change was not seen");
  return [
    {
      what: `${files} files changed by a formatter, until all are listed, from its last write on`,
      value: median(late),
      unit: "ms",
      rounds: late,
      floor: { what: "writing them", value: median(wrote), unit: "ms" },
      target: { text: "< 1000 ms", met: median(late) < 1_000 },
    },
    {
      what: `contents on the disk of ${rounds + 1} versions of each file / size of the files`,
      value: share,
      unit: "x",
      rounds: [],
      target: { text: "<= 2 x", met: share <= 2 },
    },
  ];
}

function pathOf(index: number): string {
  return `src/${index % 10}/${index}.ts`;
}

async function untilWatched(client: SylkClient, repository: string): Promise<void> {
  for (let probe = 0; ; probe++) {
    writeFileSync(join(repository, "probe.txt"), `${probe}\n`);
    await sleep(50);
    if ((await client.call("file.history", { path: "probe.txt" })).items.length > 0) return;
    if (probe > 200) throw new Error("the tree is not watched");
  }
}

async function changedFiles(client: SylkClient): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = await client.call("file.history", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const { path, seen } of page.items) if (seen === "watcher" && path.startsWith("src/")) count++;
    cursor = page.nextCursor;
    if (cursor === undefined) return count;
  }
}

function contentBytes(home: string): number {
  const folder = join(home, "file-history");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
}

function repositoryOf(home: string): string {
  const repository = mkdtempSync(`${home}-shop-`);
  for (let index = 0; index < files; index++) {
    mkdirSync(join(repository, "src", `${index % 10}`), { recursive: true });
    writeFileSync(join(repository, pathOf(index)), source(index));
  }
  const git = (...args: readonly string[]) =>
    void execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.org", ...args], {
      cwd: repository,
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  return repository;
}

/** About 4 KB that look like source, none like another. */
function source(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (): string => ((state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) % 1_679_616).toString(36);
  return Array.from(
    { length: 60 },
    () => `export function ${next()}(${next()}: number) {\n  return "${next()}${next()}" + ${next()};\n}\n`,
  ).join("");
}

function ask({ unix }: Daemon, body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { "content-type": "application/octet-stream", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(
      {
        socketPath: (unix as { socket: string }).socket,
        path: "/v1/hooks/claude-code/PreToolUse",
        method: "POST",
        headers,
      },
      (response) => {
        let said = "";
        response.setEncoding("utf8").on("data", (text: string) => (said += text));
        response.on("end", () =>
          said === "allow" ? resolve(performance.now() - startedAt) : reject(new Error(`the daemon said ${said}`)),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}
