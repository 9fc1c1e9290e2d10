/** What a status line costs the client at every turn: with a daemon through the installed script, and without one. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { openConnection } from "../load/wire-connection.ts";
import { daemonEnv, sylkBin, upDaemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 21;
const agents = 8;
const mostMs = 50;

type Way = { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> };
type Name = "node" | "script" | "program" | "alone";

export const statusline: Bench = {
  name: "statusline",
  method: `One line in a git repository with ${agents} other agents that hold a file each, a session of its own every time so that each line is drawn anew: by the script that "sylk install" writes (sh and curl), by "sylk statusline" with and without a daemon, beside "node -e 0"; ${rounds} interleaved starts of each.`,
  async run() {
    using scratch = scratchFolder();
    await using daemon = await upDaemon(scratch.path);
    const repository = mkdtempSync(`${scratch.path}-shop-`);
    try {
      execFileSync("git", ["init", "-q"], { cwd: repository });
      const env = daemonEnv(scratch.path);
      execFileSync(process.execPath, [sylkBin, "install", "claude-code", "--yes"], { cwd: repository, env });
      await fill(daemon, repository);
      const times = measure(
        {
          node: { command: process.execPath, args: ["-e", "0"], env },
          script: { command: "sh", args: [join(scratch.path, "hooks", "sylk-statusline")], env },
          program: { command: process.execPath, args: [sylkBin, "statusline"], env },
          alone: {
            command: process.execPath,
            args: [sylkBin, "statusline"],
            env: { ...env, SYLK_HOME: `${scratch.path}-none` },
          },
        },
        repository,
      );
      return [
        figure("script of the installation, with a daemon", times.script, times.node, mostMs),
        figure("sylk statusline, with a daemon", times.program, times.node, mostMs),
        figure("sylk statusline, without a daemon", times.alone, times.node),
        ratio("sylk statusline / node -e 0, with a daemon", times.program, times.node),
      ];
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

async function fill({ unix, userToken }: Awaited<ReturnType<typeof upDaemon>>, path: string): Promise<void> {
  const connection = await openConnection(unix);
  const post = async <T>(url: string, token: string, body: object): Promise<T> => {
    const text = JSON.stringify(body);
    const head = `POST ${url} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
    const answer = await connection.send(head + text);
    if (answer.status >= 300) throw new Error(`${url} answered ${answer.status}`);
    return JSON.parse(answer.body) as T;
  };
  for (let index = 0; index < agents; index++) {
    const wanted = { sessionKey: `s-${index}`, client: "codex", project: { path } };
    const { token } = await post<{ token: string }>("/v1/agents", userToken, wanted);
    await post("/v1/reservations", token, { paths: [`src/file-${index}.ts`], mode: "exclusive" });
  }
  connection.close();
}

function measure(ways: Readonly<Record<Name, Way>>, cwd: string): Readonly<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -1; round < rounds; round++)
    for (const name of names) {
      const { command, args, env } = ways[name];
      const input = JSON.stringify({ session_id: `${name}-${round}`, cwd, model: { display_name: "M" } });
      const startedAt = performance.now();
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, input });
      const ms = performance.now() - startedAt;
      const isRight =
        name === "node" || stdout.toString().includes(name === "alone" ? "no daemon" : `${agents} agents`);
      if (status !== 0 || !isRight) throw new Error(`${name} ended with ${status}: ${String(stdout)}${String(stderr)}`);
      if (round >= 0) times[name].push(ms); // the first round fills the file cache
    }
  return times;
}

function figure(what: string, own: readonly number[], bare: readonly number[], most?: number): Figure {
  const value = median(own);
  return {
    what,
    value,
    unit: "ms",
    rounds: own,
    floor: { what: "node -e 0", value: median(bare), unit: "ms" },
    ...(most === undefined ? {} : { target: { text: `< ${most} ms`, met: value < most } }),
  };
}

function ratio(what: string, own: readonly number[], bare: readonly number[]): Figure {
  const perRound = ratios(own, bare);
  return { what, value: median(perRound), unit: "x", rounds: perRound };
}
