/** What enforced holds cost a shell command: its start through the shell prefix beside the same command without it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, socketTransport } from "../../src/surfaces/client/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { daemonEnv, sylkBin, upDaemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";

const rounds = 41;
const sizes = [0, 10, 100, 500] as const;
const most: Readonly<Record<number, number>> = { 10: 10, 100: 50 };

export const enforcedStart: Bench = {
  name: "enforced-start",
  method: `"bash -c :" as it is, and through the shell prefix that Claude Code starts, in a tree where another agent holds 0, 10, 100 and 500 files in 10 folders; ${rounds} interleaved starts of both for each size, the difference within a round. With 0 held files the difference is the question to the daemon and nothing else.`,
  async run() {
    using scratch = scratchFolder();
    await using daemon = await upDaemon(scratch.path, { SYLK_RESERVATIONS_MAX_PER_AGENT: "1000" });
    const repository = mkdtempSync(`${scratch.path}-shop-`);
    try {
      execFileSync("git", ["init", "-q"], { cwd: repository });
      const paths = Array.from({ length: 500 }, (_, index) => `src/part-${index % 10}/file-${index}.ts`);
      for (const path of paths) {
        mkdirSync(join(repository, path, ".."), { recursive: true });
        writeFileSync(join(repository, path), "one\n");
      }
      const env = { ...daemonEnv(scratch.path), SHELL: "/bin/bash", CLAUDE_CODE_SESSION_ID: "bench" };
      execFileSync(process.execPath, [sylkBin, "install", "claude-code", "--yes"], { cwd: repository, env });
      const { socket } = daemon.unix as { socket: string };
      const transport = socketTransport(socket);
      const user = createClient({ transport, token: daemon.userToken });
      const wanted = { sessionKey: "holder", client: "other", project: { path: repository } } as const;
      const holder = createClient({ transport, token: (await user.call("agent.register", wanted)).token });
      const figures: Figure[] = [];
      for (const [at, size] of sizes.entries()) {
        const more = paths.slice(at === 0 ? 0 : sizes[at - 1], size);
        if (more.length > 0) await holder.call("reservation.acquire", { paths: more });
        figures.push(figureOf(size, measure(repository, env)));
      }
      return figures;
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

type Times = { readonly plain: readonly number[]; readonly over: readonly number[] };

function measure(cwd: string, env: Record<string, string>): Times {
  const [plain, over]: [number[], number[]] = [[], []];
  const prefix = join(cwd, ".claude", "sylk-shell");
  for (let round = -1; round < rounds; round++) {
    const own = timed("bash", ["-c", ":"], cwd, env);
    const enforced = timed(prefix, [":"], cwd, env);
    if (round < 0) continue; // the first round fills the file cache, and tries the mechanism
    plain.push(own);
    over.push(enforced - own);
  }
  return { plain, over };
}

function timed(program: string, args: readonly string[], cwd: string, env: Record<string, string>): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, env });
  const ms = performance.now() - startedAt;
  if (status !== 0 || stderr.length > 0) throw new Error(`${program} ended with ${status}: ${stderr.toString()}`);
  return ms;
}

function figureOf(size: number, { plain, over }: Times): Figure {
  const value = median(over);
  const limit = most[size];
  return {
    what: size === 0 ? "others hold nothing: the question" : `others hold ${size} files`,
    value,
    unit: "ms",
    rounds: over,
    floor: { what: "bash -c : by itself", value: median(plain), unit: "ms" },
    ...(limit === undefined ? {} : { target: { text: `<= ${limit} ms over plain`, met: value <= limit } }),
  };
}
