/** What a hook costs the client: the launcher beside a bare curl, its stand-in beside a bare Node, and the daemon's share. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { daemonEnv, sylkBin, upDaemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, percentile, ratios } from "../statistics.ts";

const rounds = 41;
const calls = 2_000;
const mostRatio = 1.5;
/** First grants write to the disk: a file each. */
const grants = 30;

type Way = { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> };

export const hooks: Bench = {
  name: "hooks",
  method: `PreToolUse for a file the session holds already (a renewal), as Claude Code runs it: wall time of the launcher beside curl with the same request on the unix socket, and without curl beside "node -e 0"; ${rounds} interleaved starts of each, ratio within a round. Server side: ${calls} renewals, each followed by /healthz as the least that the same connection can do, and ${grants} first grants, one after the other; a renewal's own share is the difference of the medians.`,
  async run() {
    using scratch = scratchFolder();
    await using daemon = await upDaemon(scratch.path);
    const repository = mkdtempSync(`${scratch.path}-shop-`);
    try {
      execFileSync("git", ["init", "-q"], { cwd: repository });
      const env = daemonEnv(scratch.path);
      const installed = spawnSync(process.execPath, [sylkBin, "install", "claude-code", "--yes"], {
        cwd: repository,
        env,
      });
      if (installed.status !== 0) throw new Error(installed.stderr.toString());
      const { socket } = daemon.unix as { socket: string };
      const message = (file: string): string => editOf(repository, file);
      const ways = waysOf(scratch.path, socket, env);
      const times = measure(ways, repository, message("held.ts"));
      const { renewals, floor } = await renewMany(socket, message("held.ts"));
      const firsts = await askMany(
        socket,
        Array.from({ length: grants }, (_, index) => message(`new-${index}.ts`)),
      );
      return [
        ...ratioOf("launcher / curl", times.launcher, times.curl, "curl"),
        ...ratioOf("launcher without curl / node -e 0", times.standIn, times.node, "node -e 0"),
        {
          what: "renewal, one connection, p99",
          value: percentile(renewals, 99),
          unit: "ms",
          rounds: [],
          floor: { what: "/healthz, p99", value: percentile(floor, 99), unit: "ms" },
          target: { text: "< 2 ms", met: percentile(renewals, 99) < 2 },
        },
        {
          what: "renewal, one connection, median",
          value: median(renewals),
          unit: "ms",
          rounds: [],
          floor: { what: "/healthz, median", value: median(floor), unit: "ms" },
        },
        {
          what: "renewal, what it takes more than /healthz",
          value: median(renewals) - median(floor),
          unit: "ms",
          rounds: [],
          target: { text: "< 0.5 ms", met: median(renewals) - median(floor) < 0.5 },
        },
        {
          what: "first grant, one connection, p99",
          value: percentile(firsts, 99),
          unit: "ms",
          rounds: [],
          target: { text: "< 10 ms", met: percentile(firsts, 99) < 10 },
        },
      ];
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

type Name = "curl" | "launcher" | "node" | "standIn";

function waysOf(home: string, socket: string, env: Record<string, string>): Readonly<Record<Name, Way>> {
  const launcher = join(home, "hooks", "sylk-hook");
  const url = "http://localhost/v1/hooks/claude-code/PreToolUse";
  const bin = join(home, "without-curl");
  mkdirSync(bin);
  for (const tool of ["sh", "date", "sed", "tr", "wc"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(), join(bin, tool));
  return {
    curl: { command: "curl", args: ["-q", "-s", "-f", "--unix-socket", socket, "--data-binary", "@-", url], env },
    launcher: { command: "sh", args: [launcher, "claude-code", "PreToolUse"], env },
    node: { command: process.execPath, args: ["-e", "0"], env },
    standIn: { command: "sh", args: [launcher, "claude-code", "PreToolUse"], env: { ...env, PATH: bin } },
  };
}

function measure(ways: Readonly<Record<Name, Way>>, cwd: string, input: string): Readonly<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const { command, args, env } = ways[name];
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(command, args, { cwd, env, input });
      const ms = performance.now() - startedAt;
      if (status !== 0 || stderr.length > 0) throw new Error(`${name} ended with ${status}: ${stderr.toString()}`);
      if (round >= 0) times[name].push(ms); // the first round fills the file cache
    }
  }
  return times;
}

async function renewMany(socketPath: string, body: string): Promise<Record<"renewals" | "floor", readonly number[]>> {
  const [renewals, floor]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call++) {
    renewals.push(...(await askMany(socketPath, [body])));
    floor.push(await timed(() => ask(socketPath, "GET", "/healthz")));
  }
  return { renewals, floor };
}

async function askMany(socketPath: string, bodies: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const body of bodies)
    times.push(
      await timed(async () => {
        const answer = await ask(socketPath, "POST", "/v1/hooks/claude-code/PreToolUse", body);
        if (answer !== "allow") throw new Error(`the daemon said ${answer}`);
      }),
    );
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function ask(socketPath: string, method: string, path: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/octet-stream", "content-length": Buffer.byteLength(body) };
    const sent = method === "GET" ? {} : { headers };
    const call = request({ socketPath, path, method, ...sent, agent: undefined }, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (text: string) => (said += text));
      response.on("end", () => resolve(said));
    });
    call.on("error", reject);
    call.end(body);
  });
}

function editOf(repository: string, file: string): string {
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "/dev/null",
    cwd: repository,
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_use_id: "toolu_1",
    tool_input: { file_path: join(repository, file), old_string: "a", new_string: "b" },
  });
}

function ratioOf(what: string, own: readonly number[], floor: readonly number[], floorName: string): Figure[] {
  const perRound = ratios(own, floor);
  const value = median(perRound);
  return [
    {
      what,
      value,
      unit: "x",
      rounds: perRound,
      floor: { what: floorName, value: median(floor), unit: "ms" },
      target: { text: `<= ${mostRatio} x`, met: value <= mostRatio },
    },
  ];
}
