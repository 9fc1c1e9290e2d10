import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommands, startTimeOf } from "../../adapters/processes/index.ts";
import type { AgentId } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createPool } from "../../platform/pool/index.ts";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { createCheckCommands } from "./check-commands.ts";
import { createProcessRecorder, sqliteProcesses } from "../executors/index.ts";

const clock = systemClock();
const env = { PATH: process.env.PATH ?? "" };

function world() {
  const folder = scratchFolder();
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { processes: sqliteProcesses },
    onDefect(error) {
      throw error;
    },
  });
  const commands = createCommands(clock);
  const processes = createProcessRecorder({ store, endGroup: commands.endGroup, log: { error: () => "" } });
  const checks = () =>
    createCheckCommands({
      processes,
      commands,
      pool: createPool({ clock, limits: { all: 2, perGroup: 2 } }),
      wrap: async ({ argv }, agent) => ({
        argv: ["env", `FOR=${agent}`, ...argv],
        explain: async (output) => (output.includes("read-only") ? "heron holds it" : undefined),
      }),
    });
  return {
    checks,
    endLeftovers: processes.endLeftovers,
    recorded: () => store.reader.processes.list(),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

it("a check's process is on record while it runs, and no longer", async () => {
  using at = world();
  const argv: [string, ...string[]] = ["sh", "-c", "echo done; exit 3"];
  const result = await at.checks().run({ argv, cwd: "/", env, timeoutMs: 10_000 }, { group: "ses_a" });
  expect([result.exitCode, result.output, await at.recorded()]).toEqual([3, "done\n", []]);
});

it("what a daemon left running when it was killed is ended by the next, and forgotten", async () => {
  using at = world();
  const running = at.checks().run({ argv: ["sleep", "60"], cwd: "/", env, timeoutMs: 60_000 }, { group: "ses_a" });
  const [left] = await expect.poll(at.recorded).toHaveLength(1).then(at.recorded);
  await at.endLeftovers();
  expect([await startTimeOf(left!.pid), (await running).end]).toEqual([undefined, "killed"]);
  expect(await at.recorded()).toEqual([]);
});

it("a check that an agent asked for runs under the holds of others, and its output says whose hold stopped it", async () => {
  using at = world();
  const terms = { group: "ses_a", agent: "agt_1" as AgentId };
  const run = async (script: string) =>
    (await at.checks().run({ argv: ["sh", "-c", script], cwd: "/", env, timeoutMs: 10_000 }, terms)).output;
  expect(await run("echo $FOR; echo read-only")).toBe("agt_1\nread-only\n");
  expect(await run("echo read-only; exit 1")).toBe("read-only\nheron holds it\n");
});
