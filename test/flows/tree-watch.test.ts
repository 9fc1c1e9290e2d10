/** A write that went round the hooks, into a file that somebody holds: the daemon sees the file change. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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

  // The watch begins a moment after the hold; a script writes more than once, too.
  const [finding] = await until("the write is a finding", async () => {
    writeFileSync(own, "export const own = 1;\n");
    writeFileSync(other, "export const other = 1;\n");
    const { items } = await heron.client.call("finding.list", { category: "unguarded-write" });
    return items.length > 0 && items;
  });
  expect(finding).toMatchObject({
    summary: expect.stringMatching(/^src\/other\.ts, held by heron, was written past the guard: otter ran /),
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
