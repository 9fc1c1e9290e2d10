/** An index of its own for a session that insists on `git add` and `git commit`, through the command line and real git. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

it("commits beside others who share the index, undoes nothing, and goes with its session [GIT-2, GIT-11]", async () => {
  await using daemon = await openScratchDaemon();
  const { repository, env } = daemon;
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  const git = (args: readonly string[], more: Record<string, string> = {}): string =>
    execFileSync("git", args, {
      cwd: repository,
      env: { ...env, ...more },
      encoding: "utf8",
    }).trim();
  git(["config", "user.name", "T"]);
  git(["config", "user.email", "t@sylk.invalid"]);
  const put = (path: string, text: string): void => writeFileSync(join(repository, path), text);

  const { stdout } = await daemon.sylk(["index", "on", "--as", "heron"]);
  const [, file = ""] = /^export GIT_INDEX_FILE='(.+)'\n$/.exec(stdout) ?? [];
  const own = { GIT_INDEX_FILE: file };
  put("mine.ts", "export const mine = 1;\n");
  git(["add", "mine.ts"], own);
  put("theirs.ts", "export const theirs = 1;\n");
  await otter.client.call("reservation.acquire", { paths: ["theirs.ts"] });
  await otter.client.call("commit.create", { message: "theirs", paths: ["theirs.ts"] });
  await until("the index has the commit of others", () => git(["ls-files", "theirs.ts"], own) !== "");
  expect(git(["diff", "--cached", "--name-only"], own)).toBe("mine.ts");

  git(["commit", "--quiet", "--message", "mine"], own);
  const commit = git(["rev-parse", "HEAD"]);
  await heron.client.call("commit.announce", { commit, paths: ["mine.ts"] });
  await until("the shared index has it too", () => git(["diff", "--cached", "--name-only"]) === "");
  expect(git(["show", "--name-only", "--format="])).toBe("mine.ts");

  await heron.client.call("agent.end", { id: heron.agent.id });
  await until("it goes with its session", () => !existsSync(file));
  const stray = join(daemon.paths.home, "indexes", "agt_01jd8q3m7k4x9t2v5b8n1c");
  const nobodys = join(daemon.paths.home, "indexes", "left-over");
  for (const folder of [stray, nobodys]) mkdirSync(folder, { recursive: true });
  const doctor = JSON.parse((await daemon.sylk(["doctor", "--json"])).stdout) as { findings?: unknown[] };
  expect(JSON.stringify(doctor)).toContain(`2 private indexes without a session: ${stray} ${nobodys}`);
  const started = { sessionKey: "s-1", client: "other", project: { path: repository } } as const;
  expect((await daemon.user.call("guard.start", started)).left.removed).toEqual([
    "left-over",
    "agt_01jd8q3m7k4x9t2v5b8n1c",
  ]);
  expect([stray, nobodys].filter((folder) => existsSync(folder))).toEqual([]);
});
