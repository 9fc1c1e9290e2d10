/** The status line as clients start it: with their JSON on standard input, with and without a daemon. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot, startProcess } from "./run-sylk.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";
import { within } from "./until.ts";

const launcher = join(repositoryRoot, "bin", "sylk.cjs");

async function lineIn({ env, repository }: ScratchHome, said: string, cwd = repository): Promise<string> {
  const process_ = startProcess(process.execPath, [launcher, "statusline"], { env, cwd, input: "pipe" });
  process_.child.stdin!.on("error", () => {}).end(said);
  const { code, stdout, stderr } = await within("the status line ends", process_.ended);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return stdout.trimEnd();
}

it("shows branch and unsaved changes without a daemon, and starts none", async () => {
  await using home = openScratchHome();
  const branch = execFileSync("git", ["branch", "--show-current"], { cwd: home.repository, encoding: "utf8" }).trim();
  expect(await lineIn(home, "{}")).toBe(`sylk ${branch} clean | no daemon`);
  writeFileSync(join(home.repository, "new.ts"), "");
  const said = JSON.stringify({ cwd: home.repository, model: { display_name: "M" } });
  expect(await lineIn(home, said, home.root)).toBe(`sylk ${branch} 1 changed | no daemon | M`);
  expect(await lineIn(home, "{}")).toContain("no daemon");
});

it("prints a line and ends well, whatever it gets: garbage, much of it, no repository, a broken one", async () => {
  await using home = openScratchHome();
  for (const said of ["", "not json", "[]", "null", `{"cwd":"/nowhere/${"x".repeat(5_000)}"}`, "x".repeat(3_000_000)])
    expect(await lineIn(home, said)).toMatch(/^sylk/);
  expect(await lineIn(home, "{}", home.root)).toBe("sylk no daemon");
  mkdirSync(join(home.root, "broken"));
  writeFileSync(join(home.root, "broken", ".git"), "gitdir: nowhere");
  expect(await lineIn(home, "{}", join(home.root, "broken"))).toBe("sylk no daemon");
});

it("shows other agents with their files, the own claim, and who is oneself", async () => {
  await using daemon = await openScratchDaemon();
  const heron = await daemon.register("heron");
  await heron.client.call("reservation.acquire", { paths: ["src/api.ts"], mode: "exclusive" });
  const { token } = await daemon.user.call("agent.register", {
    sessionKey: "s-1",
    client: "claude-code",
    name: "otter",
    project: { path: daemon.repository },
  });
  const otter = daemon.clientOf({ token });
  const { workItem } = await otter.call("work-item.create", { title: "rate limits" });
  await otter.call("work-item.claim", { id: workItem.id });
  const own = await lineIn(daemon, JSON.stringify({ session_id: "s-1", cwd: daemon.repository }));
  expect(own).toContain("| heron: src/api.ts | claimed: rate limits");
  const stranger = await lineIn(daemon, JSON.stringify({ session_id: "s-unknown", cwd: daemon.repository }));
  expect(stranger).toContain("heron: src/api.ts");
  expect(stranger).toContain("otter");
  const { items } = await daemon.user.call("agent.list", {});
  expect(items.map(({ name }) => name).toSorted()).toEqual(["heron", "otter"]);
});
