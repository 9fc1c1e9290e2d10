import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFileGit, createGit } from "../../adapters/git/index.ts";
import type { LogEvent } from "../../contract/index.ts";
import { createBus } from "../../platform/bus/index.ts";
import { manualClock, systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { createToolCalls } from "../guard/index.ts";
import { registerAgent } from "../registry/index.ts";
import { coordinationParts, coordinationRepositories } from "../testkit.ts";
import { createContentPacks } from "./content-packs.ts";
import { createFileHistory } from "./file-history.ts";
import { sqliteFileVersions } from "./store.sqlite.ts";
import { undoChanges } from "./undo-changes.ts";

const names = ["heron", "otter", "wren"] as const;
/** Each agent has lines of its own, far from those of the others. */
const linesEach = 8;
const edit = fc.record({
  agent: fc.constantFrom(...names),
  line: fc.nat(linesEach - 6),
  text: fc.constantFrom("a", "b", "c"),
});

it("takes out the lines of one agent and leaves those of all others, whatever came before or after [GIT-20]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...names),
      async (edits, undone) => {
        await using world = await openWorld();
        const start = names.flatMap((name) => Array.from({ length: linesEach }, (_, at) => `${name} ${at}`));
        let lines = [...start];
        let others = [...start];
        world.write("a.txt", lines);
        for (const { agent, line, text } of edits) {
          const at = names.indexOf(agent) * linesEach + 3 + line;
          const changed = (all: readonly string[]) => all.with(at, `${text} by ${agent}`);
          lines = changed(lines);
          if (agent !== undone) others = changed(others);
          world.tool(agent, "a.txt", () => world.write("a.txt", lines));
        }
        const asked = world.undo(undone);
        if (!edits.some(({ agent }) => agent === undone)) {
          await expect(asked).rejects.toMatchObject({ code: "file.not-kept" });
          return;
        }
        const { items, written } = await asked;
        expect(items.map(({ state }) => state)).toEqual([lines.join() === others.join() ? "unchanged" : "undone"]);
        expect(written).toBe(lines.join() !== others.join());
        expect(world.read("a.txt")).toEqual(others);
      },
    ),
    { numRuns: 25 },
  );
});

it("undoes a made, a removed and a binary file, and its mode; others' change of a binary file is a conflict [GIT-20]", async () => {
  await using world = await openWorld();
  writeFileSync(join(world.tree, "image.bin"), Buffer.from([0, 1, 2, 255]));
  writeFileSync(join(world.tree, "both.bin"), Buffer.from([0, 9]));
  world.write("removed.txt", ["here"]);
  world.write("run.sh", ["#!/bin/sh"]);
  world.tool("otter", "made.txt", () => world.write("made.txt", ["new"]));
  world.tool("otter", "removed.txt", () => rmSync(join(world.tree, "removed.txt")));
  world.tool("otter", "image.bin", () => writeFileSync(join(world.tree, "image.bin"), Buffer.from([0, 7])));
  world.tool("otter", "run.sh", () => chmodSync(join(world.tree, "run.sh"), 0o755));
  world.tool("otter", "both.bin", () => writeFileSync(join(world.tree, "both.bin"), Buffer.from([0, 8])));
  world.tool("heron", "both.bin", () => writeFileSync(join(world.tree, "both.bin"), Buffer.from([0, 7])));
  const refused = await world.undo("otter");
  expect(refused.items).toContainEqual({
    path: "both.bin",
    state: "conflict",
    why: "others changed the file since, and it is not text",
  });
  expect([refused.written, world.read("made.txt")]).toEqual([false, ["new"]]);
  const partly = await world.undo("otter", { partial: true });
  expect([partly.written, world.read("made.txt"), world.read("removed.txt")]).toEqual([true, undefined, ["here"]]);
  expect([...readFileSync(join(world.tree, "image.bin"))]).toEqual([0, 1, 2, 255]);
  expect([...readFileSync(join(world.tree, "both.bin"))]).toEqual([0, 7]);
  expect(partly.items.find(({ path }) => path === "run.sh")).toEqual({ path: "run.sh", state: "undone" });
});

async function openWorld() {
  const folder = scratchFolder();
  const tree = join(folder.path, "shop");
  mkdirSync(tree);
  const env = { PATH: process.env.PATH, HOME: folder.path };
  execFileSync("git", ["init", "-q"], { cwd: tree, env });
  const clock = manualClock({ wall: systemClock().now() });
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({ onSubscriberError() {} });
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { ...coordinationRepositories({ clock, ids, bus }), fileVersions: sqliteFileVersions },
  });
  const parts = coordinationParts(store, { clock, ids, bus });
  const calls = createToolCalls(clock);
  const git = createFileGit(createGit(systemClock(), env));
  const fileHistory = createFileHistory({
    store,
    clock,
    ids,
    calls,
    git,
    packs: createContentPacks(join(folder.path, "file-history")),
    limits: { isOn: true, keepDays: 14, maxBytes: 2 ** 30, maxFileBytes: 2 ** 20 },
    onKept() {},
    onFailed(error) {
      throw error;
    },
  });
  const agents = new Map<string, Awaited<ReturnType<typeof registerAgent>>["agent"]>();
  for (const name of [...names, "ada"]) {
    const wanted = { sessionKey: name, client: "other", project: { path: tree }, name } as const;
    agents.set(name, (await registerAgent(wanted, store, parts)).agent);
  }
  const refOf = (name: string) => ({ id: agents.get(name)!.id, name, client: "other" as const });
  const { project } = agents.get("ada")!;
  return {
    tree,
    write: (path: string, lines: readonly string[]) => writeFileSync(join(tree, path), `${lines.join("\n")}\n`),
    read(path: string): readonly string[] | undefined {
      try {
        return readFileSync(join(tree, path), "utf8").split("\n").slice(0, -1);
      } catch {
        return undefined;
      }
    },
    tool(name: string, path: string, work: () => void): void {
      const agent = refOf(name);
      fileHistory.before({ project: project.id, tree, paths: [path] });
      calls.began({ agent, tree, paths: [path], patterns: [], unknown: false });
      work();
      fileHistory.after({ project: project.id, tree, paths: [path], agent: agent.id });
      calls.ended(agent.id, [], { tree, paths: [path] });
    },
    undo(agent: string, { partial = false } = {}) {
      const caller = { kind: "agent", agent: refOf("ada"), project, tree } as const;
      const input = { paths: [], agent, dryRun: false, partial };
      return undoChanges(input, { caller, transact: store.transact }, { ...parts, store, fileHistory, git });
    },
    async [Symbol.asyncDispose]() {
      await fileHistory.close();
      parts.liveness.stop();
      store.close();
      folder[Symbol.dispose]();
    },
  };
}
