/**
 * A running daemon loses its socket, its record, its lock or its whole home, while clients write. It makes the small files
 * again; without its lock it acknowledges nothing more and ends. Nothing acknowledged is ever missing from the store that
 * remains, and two daemons never acknowledge changes to one store.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SylkClient } from "../../src/surfaces/client/index.ts";
import { isAlive } from "../flows/processes.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { runSylkHere } from "../flows/run-sylk-here.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import { until, within } from "../flows/until.ts";
import { openNeighbour } from "../security/neighbour.ts";
import type { Findings } from "./every-way.ts";

/** The requirement's own: noticed, and healed or ended. */
const noticedWithin = { withinMs: 5_000 };

type NotRunning = { readonly running: false; readonly presence: string; readonly pid: number | null };

describe.concurrent("the socket", () => {
  it("comes back within 5 s when it is removed; open connections live on, and the pid stays [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    using neighbour = await openNeighbour({ socketPath: paths.socket }, "host: localhost\r\n");
    await neighbour.answers();
    for (let round = 0; round < 2; round++) {
      rmSync(paths.socket);
      await until("the socket is back", () => existsSync(paths.socket), noticedWithin);
      expect(await daemon.user.call("daemon.status", {})).toMatchObject({ pid, troubles: [] });
      await neighbour.answers();
    }
    expect(statSync(paths.socket).mode & 0o777).toBe(0o600);
    expect(jsonOf(await daemon.sylk(["up", "--json"]))).toMatchObject({ started: false, pid });
    expect(jsonOf(await daemon.sylk(["down", "--json"]))).toEqual({ stopped: true, pid });
    expect(existsSync(paths.socket)).toBe(false);
  });

  it("that cannot be made again is told by status and doctor with the pid, and down still ends the daemon [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    rmSync(paths.socket);
    mkdirSync(join(paths.socket, "in the way"), { recursive: true });
    const status = await daemon.sylk(["status"]);
    expect([status.code, status.stdout]).toEqual([
      7,
      expect.stringContaining(`The daemon (pid ${pid}) runs, but cannot be reached at ${paths.socket}`),
    ]);
    expect(jsonOf<NotRunning>(await daemon.sylk(["status", "--json"]))).toMatchObject({
      running: false,
      presence: "unreachable",
      pid,
    });
    const doctor = await daemon.sylk(["doctor", "--json"]);
    expect([doctor.code, jsonOf<Findings>(doctor).findings]).toEqual([
      7,
      expect.arrayContaining([
        expect.objectContaining({
          check: "daemon",
          state: "problem",
          what: expect.stringContaining(`the daemon (pid ${pid}) runs, but cannot be reached`),
        }),
      ]),
    ]);
    expect((await daemon.sylk(["down"])).stdout).toBe(`The daemon (pid ${pid}) has stopped\n`);
    await until("the process is gone", () => !isAlive(pid));
    expect((await daemon.sylk(["down"])).stdout, "said only of what was stopped").toBe("No daemon was running\n");
  });
});

describe.concurrent("the record", () => {
  it("comes back within 5 s, and one that names another process stops no process [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const before = readFileSync(paths.record, "utf8");
    rmSync(paths.record);
    await until("the record is back", () => existsSync(paths.record), noticedWithin);
    expect(readFileSync(paths.record, "utf8")).toBe(before);
    await daemon.kill();
    // As after a reboot: the pid is in use again, by a process that is not a daemon.
    writeFileSync(paths.record, before.replace(`"pid":${pid}`, `"pid":${process.pid}`));
    expect(jsonOf<NotRunning>(await daemon.sylk(["status", "--json"]))).toMatchObject({
      presence: "absent",
      pid: null,
    });
    expect((await daemon.sylk(["down"])).stdout).toBe("No daemon was running\n");
  });
});

describe.concurrent("a home that is lost while clients write", () => {
  it("to a removed lock: status and up say so meanwhile, and the next daemon has every change [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const writers = startWriters(daemon);
    await until("changes are acknowledged", () => writers.acknowledged.length > 20);
    await untilItHasLooked(daemon);
    rmSync(paths.lock);
    const lost = `The daemon (pid ${pid}) lost its home: daemon.lock was removed`;
    const here = { cwd: daemon.repository, env: daemon.env };
    const [told, status, refused] = await Promise.all([
      daemon.user.call("daemon.status", {}),
      runSylkHere(["status"], here),
      daemon.user.call("work-item.create", { title: "Too late" }).catch((error: unknown) => error),
    ]);
    expect(told.troubles[0]).toMatchObject({ part: "home", what: expect.stringContaining(lost) });
    expect(told.store.state).toBe("unavailable");
    expect(status.stdout).toMatch(/trouble +home: .*lost its home: daemon\.lock was removed/);
    expect(refused).toMatchObject({ code: "store.unavailable", message: expect.stringContaining(lost) });
    const up = await daemon.sylk(["up", "--json"]);
    expect(jsonOf(up)).toMatchObject({ started: true });
    expect(jsonOf<{ pid: number }>(up).pid).not.toBe(pid);
    await until("the first has ended", () => !isAlive(pid), noticedWithin);
    expectKept(await writers.ended(), paths.database);
  });

  it("to rm -rf: every change is refused with the reason, the daemon ends within 5 s and makes nothing again [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const overTcp = daemon.tcpClientOf();
    await overTcp.call("work-item.create", { title: "Before" });
    await untilItHasLooked(daemon);
    rmSync(paths.home, { recursive: true, force: true });
    const refused = await overTcp.call("work-item.create", { title: "Into nowhere" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "store.unavailable",
      message: expect.stringContaining(`${paths.home} was removed or moved`),
    });
    await until("it has ended", () => !isAlive(pid), noticedWithin);
    expect((await daemon.kill()).code, "by itself").toBe(0);
    expect(existsSync(paths.database)).toBe(false);
    expect((await daemon.sylk(["status"])).stdout).toContain("No daemon answers");
    expect(jsonOf(await daemon.sylk(["up", "--json"]))).toMatchObject({ started: true });
  });

  it("to another folder in its place: that one's daemon keeps its socket, record and store [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const writers = startWriters(daemon);
    await until("changes are acknowledged", () => writers.acknowledged.length > 20);
    const aside = `${paths.home}-aside`;
    process.kill(pid, "SIGSTOP"); // it ends after the other has begun to serve, never before
    renameSync(paths.home, aside);
    const second = jsonOf<{ pid: number }>(await daemon.sylk(["up", "--json"]));
    expect(second.pid).not.toBe(pid);
    // A socket that was made again may get the number of the one before.
    const socket = () => {
      const { ino, ctimeNs } = statSync(paths.socket, { bigint: true });
      return { ino, ctimeNs };
    };
    const before = socket();
    process.kill(pid, "SIGCONT");
    await until("the first has ended", () => !isAlive(pid), noticedWithin);
    expect(socket(), "never taken away, not even for a moment").toEqual(before);
    const acknowledged = await writers.ended();
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ pid: second.pid, troubles: [] });
    expect(JSON.parse(readFileSync(paths.record, "utf8"))).toMatchObject({ pid: second.pid });
    expect((await daemon.sylk(["work", "add", "Still whole"])).code).toBe(0);
    expectKept(acknowledged, join(aside, "sylk.db"), paths.database);
  });
});

describe.concurrent("two daemons on one home", () => {
  it("never both acknowledge: the one whose lock was deleted ends within 5 s, and each claim has one holder [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const items = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { workItem } = await daemon.user.call("work-item.create", { title: `Item ${index}` });
        return workItem.id;
      }),
    );
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    const overTcp = daemon.tcpClientOf({ token: heron.token }); // stays with the first daemon
    const writers = startWriters(daemon);
    await until("changes are acknowledged", () => writers.acknowledged.length > 20);
    rmSync(paths.lock);
    const second = daemon.start(["serve", "--http-port", "0", "--json"]);
    const claims = items.map(async (id, index) => {
      // At different moments before and after the second serves, and always by both.
      await until("its turn", () => index < 10 || second.output() !== "" || !isAlive(pid));
      return Promise.all([holds(overTcp, id), holds(otter.client, id)]);
    });
    for (const holders of await Promise.all(claims)) expect(holders.filter(Boolean).length).toBeLessThanOrEqual(1);
    await until("the first has ended", () => !isAlive(pid), noticedWithin);
    await until("the second answers", () => second.output() !== "");
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ pid: second.pid, troubles: [] });
    expectKept(await writers.ended(), paths.database);
  });
});

describe("whatever is lost, at whatever moment", () => {
  const faults: Readonly<Record<string, (daemon: ScratchDaemon) => void>> = {
    socket: ({ paths }) => rmSync(paths.socket),
    record: ({ paths }) => rmSync(paths.record),
    lock: ({ paths }) => rmSync(paths.lock),
    home: ({ paths }) => renameSync(paths.home, `${paths.home}-aside`),
    killed: ({ pid }) => process.kill(pid, "SIGKILL"),
  };

  it("an acknowledged change is in a store that remains, or its client was told that it failed [CORE-36]", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(faults)),
        fc.integer({ min: 1, max: 150 }),
        async (fault, after) => {
          await using daemon = await openScratchDaemon();
          const writers = startWriters(daemon);
          await until("so many are acknowledged", () => writers.acknowledged.length >= after);
          faults[fault]!(daemon);
          const before = writers.acknowledged.length;
          if (fault === "socket" || fault === "record") {
            const count = before + 20;
            await until("it goes on", () => writers.acknowledged.length > count);
            await daemon.sylk(["down"]);
          }
          await until("the daemon has ended", () => !isAlive(daemon.pid));
          const aside = join(`${daemon.paths.home}-aside`, "sylk.db");
          expectKept(await writers.ended(), daemon.paths.database, aside);
        },
      ),
      {
        numRuns: 4,
        examples: [
          ["lock", 40],
          ["home", 60],
        ],
      },
    );
  });
});

describe("the home itself", () => {
  it("that is lost is a problem to doctor while the daemon ends, with the way out, and afterwards none answers [CORE-36]", async () => {
    await using daemon = await openScratchDaemon();
    const { paths, pid } = daemon;
    const doctor = () => runSylkHere(["doctor", "--json"], { cwd: daemon.repository, env: daemon.env });
    expect(jsonOf<Findings>(await doctor()).findings.map(({ check }) => check)).not.toContain("hold"); // and all is loaded
    await untilItHasLooked(daemon);
    rmSync(paths.lock);
    const meanwhile = await doctor();
    expect([meanwhile.code, jsonOf<Findings>(meanwhile)]).toEqual([
      7,
      {
        healthy: false,
        findings: expect.arrayContaining([
          {
            check: "hold",
            state: "problem",
            what: `The daemon (pid ${pid}) lost its home: daemon.lock was removed. It is ending and acknowledges nothing more`,
            fix: '"sylk up" waits for its end and starts another one',
          },
          expect.objectContaining({ check: "store", state: "problem" }),
        ]),
      },
    ]);
    await until("it has ended", () => !isAlive(pid), noticedWithin);
    const rowOf = async (): Promise<string> => (await daemon.sylk(["doctor"])).stdout;
    expect(await rowOf()).toMatch(/warning +daemon +no daemon answers\n +fix: "sylk up" starts it/);
    rmSync(paths.home, { recursive: true, force: true });
    expect(await rowOf()).toMatch(/ok +home +the first command that needs .* creates it\n[^]*no daemon answers\n/);
    await daemon.sylk(["up"]);
    expect(await rowOf()).toMatch(/ok +daemon +running, pid \d+/);
  });

  it("that was open to other users is closed by the next start, which says so once", async () => {
    await using home = openScratchHome();
    mkdirSync(home.paths.home, { mode: 0o755 });
    const note = `${home.paths.home} was open to other users; its mode is now 700`;
    expect((await home.sylk(["up"])).stderr).toContain(note);
    expect(statSync(home.paths.home).mode & 0o777).toBe(0o700);
    for (const file of [home.paths.token, home.paths.database, home.paths.socket, home.paths.lock, home.paths.record])
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    expect(statSync(join(home.paths.logs, "daemon.log")).mode & 0o777).toBe(0o600);
    expect((await home.sylk(["up"])).stderr).not.toContain("open to other users");
  });

  it("that cannot be made is an error at once, by every command", async ({ skip }) => {
    skip(process.platform !== "linux", "there is no /proc, where folders cannot be made");
    await using home = openScratchHome();
    const env = { SYLK_HOME: "/proc/nope/home" };
    for (const words of [["up"], ["serve"], ["work", "add", "x"]]) {
      const { code, stderr } = await home.sylk(words, { env });
      expect([code, stderr], words.join(" ")).toEqual([
        7,
        expect.stringMatching(/The home \/proc\/nope\/home cannot be used: .*set SYLK_HOME to another folder/),
      ]);
    }
    const doctor = await home.sylk(["doctor"], { env });
    expect([doctor.code, doctor.stdout]).toEqual([
      7,
      expect.stringMatching(/problem +home +\/proc\/nope\/home cannot be made/),
    ]);
  });
});

/** Its next look is two seconds away then: what commands say meanwhile can be seen. */
async function untilItHasLooked({ paths }: ScratchDaemon): Promise<void> {
  rmSync(paths.record);
  await until("the record is back", () => existsSync(paths.record));
}

async function holds(client: SylkClient, id: string): Promise<boolean> {
  return client.call("work-item.claim", { id }).then(
    () => true,
    () => false,
  );
}

/** Clients over both addresses that create items until they are told that it does not work. */
function startWriters(daemon: ScratchDaemon) {
  const acknowledged: string[] = [];
  const write = async (client: SylkClient): Promise<void> => {
    for (;;) {
      try {
        acknowledged.push((await client.call("work-item.create", { title: "Kept?" })).workItem.id);
      } catch {
        // Refused, or the daemon is gone; the next one may answer at the same socket.
      }
      if (!isAlive(daemon.pid)) return;
    }
  };
  const clients = [daemon.clientOf(), daemon.tcpClientOf(), daemon.clientOf(), daemon.tcpClientOf()];
  const all = Promise.all(clients.map(write));
  return {
    acknowledged,
    async ended(): Promise<readonly string[]> {
      await within("every client was told", all);
      return acknowledged;
    },
  };
}

function expectKept(acknowledged: readonly string[], ...files: readonly string[]): void {
  const kept = new Set<string>();
  for (const file of files.filter((path) => existsSync(path))) {
    const database = new Database(file, { readonly: true });
    for (const { id } of database.prepare("SELECT id FROM work_items").all() as { id: string }[]) kept.add(id);
    database.close();
  }
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
}
