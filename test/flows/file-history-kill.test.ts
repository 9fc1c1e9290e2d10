/**
 * kill -9 of the daemon at any time while agents write. What is guaranteed: a version that file.history listed is durable,
 * and every listed version has its content. What a kill may take: contents that were read in the last moments and were not
 * listed yet.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DomainError, type FileVersion } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const rounds = 6;

it(
  "loses no listed version to kill -9, and lists none without its content [GIT-20]",
  { timeout: 120_000 },
  async () => {
    await using daemon = await openScratchDaemon();
    const contents = new Map<string, string>();
    const listed = new Map<string, FileVersion>();
    for (let round = 0; round < rounds; round++) {
      const heron = await daemon.register("heron");
      let isAlive = true;
      const writing = keepWriting(heron, round, { contents, listed, isAlive: () => isAlive });
      await kept(listed, listed.size + 3 + round * 7);
      await daemon.kill();
      isAlive = false;
      await writing;
      await daemon.restart();
      await expectWhole(daemon, contents, listed);
    }
    expect(listed.size).toBeGreaterThan(rounds * 3);
  },
);

type Writing = {
  readonly contents: Map<string, string>;
  readonly listed: Map<string, FileVersion>;
  readonly isAlive: () => boolean;
};

/** An agent's tool calls, one after the other, until the daemon is gone; what was listed is remembered. */
async function keepWriting({ agent, client }: ScratchAgent, round: number, { contents, listed, isAlive }: Writing) {
  try {
    for (let call = 0; isAlive(); call++) {
      const path = `file-${call % 5}.ts`;
      await client.call("guard.write", { paths: [path] });
      const text = `round ${round}, call ${call}\n`.repeat(1 + (call % 50));
      contents.set(createHash("sha256").update(text).digest("hex"), text);
      writeFileSync(join(agent.tree, path), text);
      await client.call("guard.used", { wrote: [path] });
      if (call % 3 === 2)
        for (const version of (await client.call("file.history", { limit: 10 })).items) listed.set(version.id, version);
    }
  } catch (error) {
    if (!(error instanceof DomainError && error.family === "unavailable")) throw error;
  }
}

async function kept(listed: ReadonlyMap<string, unknown>, count: number): Promise<void> {
  await until(`${count} versions are listed`, () => listed.size >= count);
}

/** Every version that was listed is there, and every version that is there has its content, byte for byte. */
async function expectWhole(
  daemon: ScratchDaemon,
  contents: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, FileVersion>,
): Promise<void> {
  const heron = await daemon.register("heron");
  const now = new Map<string, FileVersion>();
  for (let cursor: string | undefined; ;) {
    const page = await heron.client.call("file.history", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const version of page.items) now.set(version.id, version);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  for (const [id, version] of listed) expect(now.get(id), id).toEqual(version);
  for (const { id, path, state, content } of [...now.values()].slice(0, 40)) {
    if (state !== "kept") continue;
    const { restored } = await heron.client.call("file.restore", { path, version: id });
    expect(restored.content).toBe(content);
    const { patch } = await heron.client.call("file.diff", {
      path,
      from: id,
      to: id,
    });
    expect(patch).toBe("");
  }
  expect(
    [...now.values()]
      .filter(({ content, seen }) => content !== undefined && seen === "after-tool")
      .every(({ content }) => contents.has(content!)),
  ).toBe(true);
}
