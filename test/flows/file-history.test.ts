/** Local history from the surfaces a user has: hooks keep versions, commands show them and put them back. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { FileVersion } from "../../src/contract/index.ts";
import { hookClient, type HookClient } from "./hook-client.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { waysInto } from "./ways-in.ts";

it("keeps what a tool overwrites with author, command and mode, and puts it back over CLI, HTTP and MCP [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  write("src/a.ts", "one\n", 0o755);
  const otter = await world.session("s-1");
  await world.tool(otter, "src/a.ts", () => write("src/a.ts", "two\n", 0o644), "sed -i s/one/two/ src/a.ts");
  const listed = await daemon.sylk(["file", "history", "src/a.ts", "--json"]);
  const { items } = jsonOf(listed) as { items: FileVersion[] };
  expect(items).toMatchObject([
    {
      path: "src/a.ts",
      state: "kept",
      bytes: 4,
      mode: "644",
      knownBy: "named",
      command: "Bash: sed -i s/one/two/ src/a.ts",
    },
    { path: "src/a.ts", seen: "before-tool", state: "kept", bytes: 4, mode: "755", knownBy: "unknown" },
  ]);
  expect(items[0]!.author).toMatchObject({ client: "claude-code" });
  const human = await daemon.sylk(["file", "history", "src/a.ts"]);
  expect(human.stdout).toMatch(/^version +seen +path +author +known by +size +command\n/);
  expect(human.stdout).toContain("Bash: sed -i s/one/two/ src/a.ts");
  await otter.send("SessionEnd", { reason: "other" });
  const { token } = await daemon.register("heron");
  await using ways = waysInto(daemon);
  for (const way of ways.all) {
    const { ok, body } = await way.call("file.restore", { path: "src/a.ts", version: items[1]!.id }, { token });
    expect(ok, `${way.name}: ${JSON.stringify(body)}`).toBe(true);
    expect([read("src/a.ts"), statSync(join(daemon.repository, "src/a.ts")).mode & 0o777]).toEqual(["one\n", 0o755]);
    write("src/a.ts", `again, before ${way.name}\n`);
  }
  const { items: all } = await daemon.user.call("file.history", { path: "src/a.ts" });
  expect(all.filter(({ knownBy }) => knownBy === "sylk")).toHaveLength(ways.all.length);
});

it("keeps no ignored file, no secrets, no large content, and nothing that others can read [GIT-20]", async () => {
  await using world = await opened({ SYLK_FILE_HISTORY_MAX_FILE_BYTES: "2048" });
  const { daemon, write } = world;
  write(".gitignore", "dist/\n");
  for (const path of ["dist/out.js", ".env", "config/.env.production", "id_rsa", "cert.pem"]) write(path, "secret\n");
  write("large.bin", "x".repeat(2049));
  write("small.txt", "y".repeat(2048));
  const otter = await world.session("s-1");
  for (const path of ["dist/out.js", ".env", "config/.env.production", "id_rsa", "cert.pem", "large.bin", "small.txt"])
    expect(await otter.edit(path)).toMatchObject({ code: 0 });
  const { items } = await daemon.user.call("file.history", {});
  expect(items.filter(({ seen }) => seen === "before-tool").map(({ path, state }) => [path, state])).toEqual([
    ["small.txt", "kept"],
    ["large.bin", "too-large"],
  ]);
  const folder = join(daemon.paths.home, "file-history");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const modes = execFileSync("find", [folder, "-type", "f", "-printf", "%m\n"], { encoding: "utf8" });
  expect(new Set(modes.trim().split("\n"))).toEqual(new Set(["600"]));
});

async function opened(env: Record<string, string> = {}) {
  const daemon = await openScratchDaemon({ env });
  await daemon.sylk(["install", "claude-code", "--yes"]);
  const write = (path: string, text: string, mode = 0o644): void => {
    const file = join(daemon.repository, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  return {
    daemon,
    write,
    read: (path: string) => (existsSync(join(daemon.repository, path)) ? text(daemon, path) : undefined),
    async session(key: string): Promise<HookClient> {
      const client = hookClient({ session: key, repository: daemon.repository, env: daemon.env });
      await client.start();
      return client;
    },
    /** A tool call as the client makes it: the hook before, the write, the hook after. */
    async tool(client: HookClient, path: string, work: () => void, command?: string): Promise<void> {
      const file = join(daemon.repository, path);
      const call =
        command === undefined
          ? { tool_name: "Edit", tool_input: { file_path: file } }
          : { tool_name: "Bash", tool_input: { command } };
      expect(await client.send("PreToolUse", { tool_use_id: "toolu_1", ...call })).toMatchObject({ code: 0 });
      work();
      await client.send("PostToolBatch", { tool_calls: [call] });
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

function text({ repository }: ScratchDaemon, path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
