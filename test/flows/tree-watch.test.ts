/** A write that went round the hooks, into a file that somebody holds: the daemon sees the file change. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

it("tells the holder of a stranger's write at once, and no one of the holder's own [GIT-10]", async () => {
  await using daemon = await openScratchDaemon();
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  const { tree } = heron.agent;
  mkdirSync(join(tree, "src"), { recursive: true });
  const own = join(tree, "src", "own.ts");
  const other = join(tree, "src", "other.ts");
  await heron.client.call("guard.write", { paths: ["src/own.ts"] });
  await heron.client.call("reservation.acquire", { paths: ["src/other.ts"] });
  await otter.client.call("guard.write", { unknown: ["sh build.sh"] });

  writeFileSync(own, "export const own = 1;\n");
  writeFileSync(other, "export const other = 1;\n");
  const [finding] = await until("the write is a finding", async () => {
    const { items } = await heron.client.call("finding.list", { category: "unguarded-write" });
    return items.length > 0 && items;
  });
  expect(finding).toMatchObject({
    summary: expect.stringMatching(/^src\/other\.ts, held by heron, was written past the guard: probably otter, /),
    files: [{ path: "src/other.ts" }],
    agent: { name: "sylk-watch" },
  });
  const { items } = await heron.client.call("mail.inbox", { channel: "notices" });
  expect(items).toMatchObject([{ content: { kind: "finding", finding: finding!.id } }]);
  const { items: all } = await heron.client.call("finding.list", {});
  expect(all.map(({ id }) => id)).toEqual([finding!.id]);
  const { components } = await daemon.user.call("health.show", { kind: "daemon" });
  expect(components.find(({ name }) => name === "tree watch")).toMatchObject({ failures: 0 });
});

it("counts the holder's command as under way until its own end event, and says after a restart that it does not know [GIT-10]", async () => {
  await using daemon = await openScratchDaemon();
  expect((await daemon.sylk(["install", "claude-code", "--yes"])).code).toBe(0);
  const { repository, env } = daemon;
  const heron = hookClient({ session: "heron-session", repository, env });
  const held = join(repository, "src", "held.ts");
  mkdirSync(dirname(held), { recursive: true });
  await heron.start();
  await heron.edit("src/held.ts");
  const ended = (...calls: readonly object[]) => heron.send("PostToolBatch", { tool_calls: calls });
  await ended({ tool_name: "Edit", tool_use_id: "toolu_1", tool_input: { file_path: held }, tool_response: {} });
  await heron.shell("sh build.sh");
  await ended({ tool_name: "Bash", tool_use_id: "toolu_2", tool_input: { command: "sh build.sh" }, tool_response: {} });
  const { items } = await daemon.user.call("agent.list", {});
  const holder = daemon.clientOf({ actAs: items[0]!.id });
  let writes = 0;
  const told = (reason: string) =>
    until(`the holder is told that ${reason}`, async () => {
      writeFileSync(held, `export const held = ${++writes};\n`);
      const notices = await holder.call("mail.inbox", { channel: "notices" });
      return notices.items.some(({ subject }) => subject.includes(reason));
    });
  // Until then the holder's own command could have written it; without its end that would be two minutes.
  await told("no call of an agent is known to have been under way");
  await daemon.kill();
  await daemon.restart();
  await told("because Sylk was restarted");
});
