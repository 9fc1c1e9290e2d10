/** What `sylk commit` costs at the daemon beside the `git commit` that does the same: five files of a shared tree. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, socketTransport } from "../../src/surfaces/client/index.ts";
import type { Bench } from "../bench.ts";
import { upDaemon } from "../processes/daemon.ts";
import { benchEnv, scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 25;
const committed = 5;
const tracked = 1_000;
const mostRatio = 3;

export const commit: Bench = {
  name: "commit",
  method: `${committed} changed files of ${tracked} tracked ones: commit.create on the unix socket (throw-away index, gate, compare-and-swap, notice) beside "git commit -- <the same files>"; ${rounds} interleaved rounds without hooks, ratio within a round.`,
  async run() {
    using scratch = scratchFolder();
    await using daemon = await upDaemon(scratch.path);
    const repository = mkdtempSync(`${scratch.path}-shop-`);
    try {
      const git = (...args: readonly string[]): void =>
        void execFileSync("git", args, { cwd: repository, env: benchEnv({}), stdio: "ignore" });
      prepare(repository, git);
      const { socket } = daemon.unix as { socket: string };
      const transport = socketTransport(socket);
      const user = createClient({ transport, token: daemon.userToken, project: repository });
      const { token } = await user.call("agent.register", {
        sessionKey: "bench",
        client: "other",
        project: { path: repository },
      });
      const agent = createClient({ transport, token });
      const paths = Array.from({ length: committed }, (_, index) => `file-${index}.txt`);
      await agent.call("guard.write", { paths }); // as a client's hooks do before an edit
      const own: number[] = [];
      const floor: number[] = [];
      for (let round = -1; round < rounds; round++) {
        change(repository, paths);
        const byGit = await timed(async () => git("commit", "--quiet", "--message", "by git", "--", ...paths));
        change(repository, paths);
        const bySylk = await timed(() => agent.call("commit.create", { message: "by sylk", paths }));
        if (round < 0) continue; // the first round fills the file cache
        floor.push(byGit);
        own.push(bySylk);
      }
      const perRound = ratios(own, floor);
      const value = median(perRound);
      return [
        {
          what: "commit.create / git commit",
          value,
          unit: "x",
          rounds: perRound,
          floor: { what: "git commit", value: median(floor), unit: "ms" },
          target: { text: `<= ${mostRatio} x`, met: value <= mostRatio },
        },
        { what: "commit.create, median", value: median(own), unit: "ms", rounds: own },
      ];
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

function prepare(repository: string, git: (...args: readonly string[]) => void): void {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@sylk.invalid");
  for (let index = 0; index < tracked; index++) writeFileSync(join(repository, `file-${index}.txt`), `${index}\n`);
  git("add", "--all");
  git("commit", "--quiet", "--message", "one");
}

function change(repository: string, paths: readonly string[]): void {
  for (const path of paths) appendFileSync(join(repository, path), "changed\n");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
