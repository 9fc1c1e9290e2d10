import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { createProcessRecorder } from "./process-recorder.ts";
import { sqliteProcesses } from "./process-store.sqlite.ts";

const process = { pid: 7, startedAt: "then" };

function world() {
  const folder = scratchFolder();
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { processes: sqliteProcesses },
    onDefect(error) {
      throw error;
    },
  });
  const ended: number[] = [];
  const log = { error: () => "" };
  const recorder = createProcessRecorder({ store, endGroup: async ({ pid }) => void ended.push(pid), log });
  return {
    recorder,
    ended,
    list: (owner?: string) => store.reader.processes.list(owner),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

it("a process is on record before it begins, and forgotten after its end, also when it fails", async () => {
  using at = world();
  const during = await at.recorder.run("run_a", async (onStarted) => {
    await onStarted(process);
    return at.list("run_a");
  });
  expect([during, await at.list()]).toEqual([[{ ...process, owner: "run_a" }], []]);
  const failing = at.recorder.run("run_a", async (onStarted) => {
    await onStarted(process);
    throw new Error("it failed");
  });
  await expect(failing).rejects.toThrow("it failed");
  expect(await at.list()).toEqual([]);
});

it("leftovers of one owner are ended and forgotten, and those of others stay", async () => {
  using at = world();
  await at.recorder.record("run_a", process);
  await at.recorder.record("checks", { pid: 8, startedAt: "then" });
  await at.recorder.endLeftovers("run_a");
  expect([at.ended, (await at.list()).map(({ owner }) => owner)]).toEqual([[7], ["checks"]]);
  await at.recorder.endLeftovers();
  expect([at.ended, await at.list()]).toEqual([[7, 8], []]);
});
