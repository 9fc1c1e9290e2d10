/** Writes into held files while no watch ran: the daemon was down, or the hold is a moment old. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { inOwnRepository, openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const notices = async (daemon: ScratchDaemon, id: string) =>
  (await daemon.clientOf({ actAs: id }).call("mail.inbox", { channel: "notices" })).items;

it("tells the holder after a restart what changed while Sylk was not running, with the way back, and no one of the holder's own writes [GIT-10, GIT-20]", async () => {
  await using daemon = await openScratchDaemon({ env: { SYLK_GUARD_ENFORCE: "off" } });
  expect((await daemon.sylk(["install", "claude-code", "--yes"])).code).toBe(0);
  const { repository, env } = daemon;
  const file = (name: string): string => join(repository, "src", name);
  mkdirSync(join(repository, "src", "lib"), { recursive: true });
  for (const name of ["gone.ts", "same.ts", "lib/gone.ts"]) writeFileSync(file(name), "committed\n");
  execFileSync("sh", ["-c", "git add -A && git -c user.name=u -c user.email=u@x commit -qm all"], {
    cwd: repository,
    env,
  });
  const heron = hookClient({ session: "heron", repository, env });
  await heron.start();
  const [holder] = (await daemon.user.call("agent.list", {})).items;
  const edits = ["held.ts", "own.ts", "gone.ts", "same.ts"];
  for (const name of edits) {
    await heron.edit(`src/${name}`);
    if (name !== "gone.ts") writeFileSync(file(name), `heron's ${name}\n`);
    const call = {
      tool_name: "Edit",
      tool_use_id: "toolu_1",
      tool_input: { file_path: file(name) },
      tool_response: {},
    };
    await heron.send("PostToolBatch", { tool_calls: [call] });
  }
  await daemon.clientOf({ actAs: holder!.id }).call("reservation.acquire", { patterns: ["src/lib/**"] });
  expect((await daemon.user.call("file.history", { path: "src/own.ts" })).items[0]).toMatchObject({ knownBy: "named" });

  await daemon.kill();
  writeFileSync(file("held.ts"), "a stranger's\n");
  writeFileSync(file("same.ts"), "heron's same.ts\n"); // written anew, with what was there
  writeFileSync(file("lib/new.ts"), "a stranger's\n");
  rmSync(file("gone.ts"));
  rmSync(file("lib/gone.ts"));
  await daemon.restart();

  const changed = ["src/gone.ts", "src/held.ts", "src/lib/gone.ts", "src/lib/new.ts"];
  const told = await until("the holder is told of all four", async () => {
    const items = await notices(daemon, holder!.id);
    return items.length >= changed.length && items;
  });
  const said =
    "was written past the guard: it changed while Sylk was not running, so the writer is unknown and may be the holder itself";
  expect(told.map(({ subject }) => subject).toSorted()).toEqual(
    changed.map((path) => expect.stringContaining(`${path}, held by ${holder!.name}, ${said}`)),
  );
  // A later look, after what the watch sees itself, has nothing to add.
  writeFileSync(file("held.ts"), "a stranger's again\n");
  await until("the live watch tells, too", async () => (await notices(daemon, holder!.id)).length > changed.length);
  expect((await notices(daemon, holder!.id)).length).toBe(changed.length + 1);

  const restore = (path: string): readonly string[] => {
    const { body } = told.find(({ subject }) => subject.startsWith(path))!;
    return /sylk (file restore \S+ --version \S+)/.exec(body)![1]!.split(" ");
  };
  for (const [path, content] of [
    ["src/held.ts", "heron's held.ts\n"],
    ["src/gone.ts", "committed\n"],
    ["src/lib/gone.ts", "committed\n"],
  ] as const) {
    const run = await daemon.sylk([...restore(path), "--as", holder!.name]);
    expect([run.code, run.stderr, readFileSync(join(repository, path), "utf8")]).toEqual([0, "", content]);
  }
});

it("tells holder and writer of a write right after the grant, without a wait for the watch [GIT-10, HLTH-12]", async () => {
  await using shared = await openScratchDaemon({ env: { SYLK_GUARD_ENFORCE: "off" } });
  for (const files of [["a.ts"], ["deep/new/b.ts"], ["c.ts", "src/d.ts"]]) {
    const daemon = inOwnRepository(shared);
    for (const path of files) {
      mkdirSync(dirname(join(daemon.repository, path)), { recursive: true });
      writeFileSync(join(daemon.repository, path), "heron's uncommitted work\n");
    }
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    await otter.client.call("guard.write", { unknown: ["sh build.sh"] });
    await heron.client.call("reservation.acquire", { paths: files });
    for (const path of files) writeFileSync(join(daemon.repository, path), "otter's\n");
    for (const { agent } of [heron, otter]) {
      const told = await until(`${agent.name} is told of ${files.join(", ")}`, async () => {
        const items = await notices(daemon, agent.id);
        return items.length >= files.length && items;
      });
      expect(told.map(({ subject }) => subject).toSorted()).toEqual(
        files.map((path) => expect.stringMatching(new RegExp(`^${path}, held by heron, .*: probably otter, `))),
      );
      for (const { body } of told) expect(body).toMatch(/sylk file restore \S+ --version ver_/);
    }
  }
});

it("tells the holder of a stranger's write into a file that is too large for local history, or secret [GIT-10]", async () => {
  await using daemon = await openScratchDaemon({ env: { SYLK_GUARD_ENFORCE: "off" } });
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  const files = ["big.bin", ".env"];
  const large = (byte: string): string => byte.repeat(3 * 1_048_576);
  for (const path of files) writeFileSync(join(daemon.repository, path), large("h"));
  await heron.client.call("guard.write", { paths: files });
  for (const path of files) writeFileSync(join(daemon.repository, path), large("H"));
  await heron.client.call("guard.used", { wrote: files, ended: [{ call: "none" }] });
  let probes = 0;
  await until("the tree is watched", async () => {
    writeFileSync(join(daemon.repository, "probe.txt"), `${++probes}\n`);
    return (await daemon.user.call("file.history", { path: "probe.txt" })).items.length > 0;
  });
  expect(await notices(daemon, heron.agent.id)).toEqual([]);
  await otter.client.call("guard.write", { unknown: ["sh build.sh"] });
  for (const path of files) writeFileSync(join(daemon.repository, path), large("o"));
  const told = await until("the holder is told of both", async () => {
    const items = await notices(daemon, heron.agent.id);
    return items.length >= files.length && items;
  });
  expect(told.map(({ subject }) => subject.split(",")[0]!).toSorted()).toEqual(files.toSorted());
});
