/** An index of its own for a session that insists on `git add` and `git commit`, through the command line and real git. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

it("commits beside others who share the index, undoes nothing, and goes with its session [GIT-2]", async () => {
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

it("is there only when asked for, and built anew after a foreign commit or after 24 hours, with its own staged paths alone [GIT-11]", async () => {
  await using daemon = await openScratchDaemon();
  const { repository, env } = daemon;
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  const git = (args: readonly string[], index?: string): string => {
    const own = index === undefined ? {} : { GIT_INDEX_FILE: index };
    return execFileSync("git", args, { cwd: repository, env: { ...env, ...own }, encoding: "utf8" }).trim();
  };
  git(["config", "user.name", "T"]);
  git(["config", "user.email", "t@sylk.invalid"]);
  const folder = join(daemon.paths.home, "indexes");
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);

  const [, file = ""] =
    /GIT_INDEX_FILE='(.+)'/.exec((await daemon.sylk(["index", "on", "--as", "heron"])).stdout) ?? [];
  expect(readdirSync(folder), "of the one that asked").toEqual([heron.agent.id]);
  for (const name of ["mine.ts", "shared.ts", "theirs.ts"]) writeFileSync(join(repository, name), `// ${name}\n`);
  git(["add", "mine.ts"], file);
  git(["add", "shared.ts"]); // in the index of all
  await otter.client.call("commit.create", { message: "theirs", paths: ["theirs.ts"] });
  await until("it has the foreign commit", () => git(["ls-files", "theirs.ts"], file) !== "");
  expect(git(["diff", "--cached", "--name-only"], file)).toBe("mine.ts");

  const about = join(folder, heron.agent.id, "about.json");
  const builtAt = (): number => (JSON.parse(readFileSync(about, "utf8")) as { builtAt: number }).builtAt;
  const lookAfter = async (hours: number): Promise<number> => {
    const known = JSON.parse(readFileSync(about, "utf8")) as object;
    const then = Date.now() - hours * 3_600_000;
    writeFileSync(about, JSON.stringify({ ...known, builtAt: then }));
    await daemon.user.call("guard.start", {
      sessionKey: `after ${hours}`,
      client: "other",
      project: { path: repository },
    });
    return builtAt() - then;
  };
  expect(await lookAfter(23.9)).toBe(0);
  expect(await lookAfter(24)).toBeGreaterThan(23.9 * 3_600_000);
  expect(git(["diff", "--cached", "--name-only"], file)).toBe("mine.ts");
});
