/** One daemon per home, whoever starts it, however it ends, whatever stands in its way. */
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { takeProcessLock } from "../../src/platform/store/index.ts";
import { isAlive, killAndWait, processesUnder } from "./processes.ts";
import { jsonOf, mainScript, startProcess } from "./run-sylk.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree, type ScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";
import { send } from "./wire.ts";

type Up = { readonly started: boolean; readonly pid: number; readonly url: string };

describe("many starts", () => {
  it("of one home end in one daemon: 64 at once, then 36 more [CORE-16]", async () => {
    await using home = openScratchHome();
    const first = await upMany(home, 64);
    const { pid } = first[0]!;
    expect(first.filter((up) => up.pid !== pid)).toEqual([]);
    expect(first.some(({ started }) => started)).toBe(true);
    await until("the losers have left", () => processesUnder(home.paths.home).length === 1);
    expect(processesUnder(home.paths.home)).toEqual([pid]);
    expect(takeProcessLock(home.paths.lock), "the lock is held").toBeUndefined();

    const second = await upMany(home, 36);
    expect(second.filter((up) => up.pid !== pid || up.started)).toEqual([]);
    expect(processesUnder(home.paths.home)).toEqual([pid]);
  });

  async function upMany(home: ScratchHome, count: number): Promise<readonly Up[]> {
    const runs = await Promise.all(Array.from({ length: count }, () => home.sylk(["up", "--json"])));
    expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
    return runs.map((run) => jsonOf<Up>(run));
  }
});

describe("a killed daemon", () => {
  it("leaves a free lock, a stale socket and a stale record, and the next command starts another [CORE-16, CORE-17]", async () => {
    await using home = openScratchHome();
    const { pid } = jsonOf<Up>(await home.sylk(["up", "--json"]));
    await killAndWait(pid);
    const lock = takeProcessLock(home.paths.lock);
    expect(lock, "the kernel has freed it").toBeDefined();
    lock!.release();
    expect(statSync(home.paths.socket).isSocket()).toBe(true);
    expect(JSON.parse(readFileSync(home.paths.record, "utf8"))).toMatchObject({ pid });
    expect((await home.sylk(["status"])).code).toBe(7);
    const { stdout } = await home.sylk(["doctor"]);
    expect(stdout).toMatch(/warning +daemon +there is a socket at .*, but no daemon answers/);

    expect((await home.sylk(["ready"])).code).toBe(0);
    const status = jsonOf<{ pid: number }>(await home.sylk(["status", "--json"]));
    expect(status.pid).not.toBe(pid);
    expect(isAlive(status.pid)).toBe(true);
  });

  it("is no longer named once `up` has started the next one [CORE-16]", async () => {
    await using home = openScratchHome();
    const pids = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const { pid } = jsonOf<Up>(await home.sylk(["up", "--json"]));
      expect(isAlive(pid)).toBe(true);
      pids.add(pid);
      await killAndWait(pid);
    }
    expect(pids.size).toBe(5);
  });

  it("may have left anything at the socket's place [CORE-17]", async () => {
    await using home = openScratchHome();
    writeTree(home.paths.home, { "sylk.sock": "not a socket", "daemon.json": "{ torn" });
    chmodSync(home.paths.home, 0o700);
    expect((await home.sylk(["status"])).code).toBe(7);
    expect((await home.sylk(["up"])).code).toBe(0);
    expect(statSync(home.paths.socket).isSocket()).toBe(true);
  });
});

describe("status", () => {
  const fields = ["running", "pid", "version", "home", "socket", "url", "store", "agents", "sessions", "incidents"];

  it("tells the same fields whether a daemon runs or not, and exits with 7 when none does [CORE-17]", async () => {
    await using home = openScratchHome();
    const down = await home.sylk(["status", "--json"]);
    expect(down.code).toBe(7);
    expect(jsonOf(down)).toMatchObject({
      running: false,
      home: home.paths.home,
      socket: home.paths.socket,
      pid: null,
      agents: null,
      sessions: null,
      incidents: null,
    });
    expect(existsSync(home.paths.home), "asking makes nothing").toBe(false);

    await home.sylk(["up"]);
    const up = await home.sylk(["status", "--json"]);
    expect(up.code).toBe(0);
    expect(jsonOf(up)).toMatchObject({ running: true, agents: 0, sessions: 0, incidents: 0, store: { state: "ok" } });
    for (const run of [up, down]) expect(Object.keys(jsonOf(run))).toEqual(expect.arrayContaining(fields));
  });
});

describe("down", () => {
  it("says so when no daemon runs [CORE-17]", async () => {
    await using home = openScratchHome();
    const run = await home.sylk(["down", "--json"]);
    expect([run.code, jsonOf(run)]).toEqual([0, { stopped: false, pid: null }]);
    expect((await home.sylk(["down"])).stdout).toBe("No daemon was running\n");
  });

  it("returns when the process is gone, with its socket and record; the next start is quick [CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const { pid } = daemon;
    const run = await daemon.sylk(["down", "--json"]);
    expect(jsonOf(run)).toEqual({ stopped: true, pid });
    await until("the process is gone", () => !isAlive(pid));
    expect([existsSync(daemon.paths.socket), existsSync(daemon.paths.record)]).toEqual([false, false]);
    expect(jsonOf<Up>(await daemon.sylk(["up", "--json"])).pid).not.toBe(pid);
  });

  it("answers what is under way, or refuses it whole: nothing acknowledged is missing afterwards [CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    let stopping: Promise<unknown> | undefined;
    const acknowledged: string[] = [];
    const worker = async (client: typeof heron.client, name: string): Promise<unknown> => {
      for (let turn = 0; ; turn++) {
        try {
          acknowledged.push((await client.call("work-item.create", { title: `${name} ${turn}` })).workItem.id);
        } catch (error) {
          return error;
        }
        if (acknowledged.length > 60) stopping ??= daemon.user.call("daemon.stop", {});
      }
    };
    const clients = [heron.client, daemon.tcpClientOf({ token: heron.token })];
    const ends = await Promise.all(
      Array.from({ length: 12 }, (_, index) => worker(clients[index % 2]!, `worker ${index}`)),
    );
    for (const end of ends) expect(end).toMatchObject({ family: "unavailable" });
    await expect(stopping).resolves.toMatchObject({ stopping: true });
    await daemon.restart();
    const kept = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await heron.client.call("work-item.list", { limit: 500, cursor });
      for (const { id } of page.items) kept.add(id);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });
});

describe("serve", () => {
  it("leaves with exit code 4 and a sentence while another one serves [CORE-16, CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const run = await daemon.sylk(["serve"]);
    expect(run.code).toBe(4);
    expect(run.stderr).toContain(`A daemon already serves ${daemon.paths.home}; "sylk status" shows it`);
    expect(jsonOf(await daemon.sylk(["serve", "--json"]))).toMatchObject({ error: { code: "daemon.already-running" } });
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ pid: daemon.pid });
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends by itself on %s with exit code 0 [CORE-17]", async (signal) => {
    await using daemon = await openScratchDaemon();
    process.kill(daemon.pid, signal);
    await until("the daemon is gone", () => !isAlive(daemon.pid));
    expect([existsSync(daemon.paths.socket), existsSync(daemon.paths.record)]).toEqual([false, false]);
    expect((await daemon.kill()).code).toBe(0);
  });

  it("takes the next free port when its own is taken, says so everywhere, and keeps it later [CORE-17, IDN-11]", async () => {
    await using home = openScratchHome();
    const foreign = startProcess(process.execPath, ["-e", foreignServer], { env: home.env, cwd: home.root });
    const taken = await until("the foreign server listens", () => Number(foreign.output()) || undefined);
    writeTree(home.paths.home, { "config.yaml": `http:\n  port: ${taken}\n` });
    chmodSync(home.paths.home, 0o700);
    const env = { SYLK_HTTP_PORT: "" };
    const { url } = jsonOf<Up>(await home.sylk(["up", "--json"], { env }));
    const port = Number(new URL(url).port);
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 50);
    expect(JSON.parse(readFileSync(home.paths.record, "utf8"))).toMatchObject({ url });
    expect(jsonOf(await home.sylk(["status", "--json"], { env }))).toMatchObject({ url });
    expect((await send({ host: "127.0.0.1", port }, { path: "/healthz" })).status).toBe(200);
    const doctor = jsonOf<Findings>(await home.sylk(["doctor", "--json"], { env }));
    expect(doctor.findings).toContainEqual({
      check: "port",
      state: "warning",
      what: `${taken} was taken by another program; the daemon listens on ${port} and keeps it`,
      fix: expect.stringContaining("sylk down && sylk up"),
    });
    await killAndWait(foreign.pid);
    expect((await home.sylk(["down"], { env })).code).toBe(0);
    expect(jsonOf<Up>(await home.sylk(["up", "--json"], { env })).url, "clients have it in their settings").toBe(url);
  });

  it("works in a home whose path is too long for a socket [CORE-17]", async () => {
    await using home = openScratchHome({ home: `${"long/".repeat(30)}home` });
    expect(home.paths.home.length).toBeGreaterThan(150);
    expect(home.paths.socket.length).toBeLessThanOrEqual(100);
    expect((await home.sylk(["work", "add", "From far away"])).code).toBe(0);
    expect(jsonOf(await home.sylk(["status", "--json"]))).toMatchObject({ running: true, socket: home.paths.socket });
    expect(statSync(home.paths.socket).mode & 0o777).toBe(0o600);
    expect((await home.sylk(["down"])).code).toBe(0);
    expect(existsSync(home.paths.socket)).toBe(false);
  });
});

describe("a home that cannot be used", () => {
  it("because config.yaml is wrong: no start, but file, line and what is allowed [CORE-17, CORE-24]", async () => {
    await using home = openScratchHome();
    writeTree(home.paths.home, { "config.yaml": "# mine\nhttp:\n  port: many\nlog:\n  levl: info\n" });
    chmodSync(home.paths.home, 0o700);
    const env = { SYLK_HTTP_PORT: "" };
    for (const [words, code] of [
      ["up", 7],
      ["who", 7],
      ["serve", 2],
      ["config show", 2],
    ] as const) {
      const run = await home.sylk(words.split(" "), { env });
      expect(run.code, words).toBe(code);
      expect(run.stderr).toContain(`${home.paths.config}:3`);
      expect(run.stderr).toContain("a whole number from 0 to 65535");
      expect(run.stderr).toContain(`${home.paths.config}:5`);
      expect(run.stderr).toContain("did you mean log.level?");
    }
    const doctor = await home.sylk(["doctor"], { env });
    expect([doctor.code, doctor.stdout]).toEqual([2, expect.stringContaining(`${home.paths.config}:3`)]);
    expect((await home.sylk(["status"], { env })).code, "nothing was started").toBe(7);
  });

  it("because it is read-only: exit code 7 and a way out, on every command [CORE-17]", async () => {
    await using home = openScratchHome();
    writeTree(home.paths.home, {});
    await expectUnusable(home, { uid: ordinaryUser, mode: 0o500 }, "cannot be written by this user");
  });

  it("because it is another user's: exit code 7 and a way out", async ({ skip }) => {
    skip(process.getuid?.() !== 0, "only root can give a folder to somebody else");
    await using home = openScratchHome();
    await expectUnusable(home, { uid: 0, mode: 0o700 }, "belongs to another user (uid 0)");
  });

  it("because the disk is full: changes are refused, nothing is lost, and it continues when there is room", async ({
    skip,
  }) => {
    await using home = openScratchHome();
    writeFileSync(`${home.root}/token`, `sylk_usr_${"t".repeat(43)}\n`, { mode: 0o600 });
    const small = startProcess("unshare", ["-rm", "sh", "-c", serveOnSmallDisk, mainScript, process.execPath], {
      env: { ...home.env, ROOT: home.root },
      cwd: home.root,
      input: "pipe",
    });
    const url = await until("it listens or cannot", async () => {
      if (small.child.exitCode !== null) return "";
      return /"url": "(.+)"/.exec(small.output())?.[1];
    });
    skip(url === "", `no file system of its own: ${small.errors().trim()}`);
    const port = Number(new URL(url).port);
    const ask = (path: string, body?: object) => askAsUser(port, home, path, body);

    const acknowledged: string[] = [];
    const refused = await until("the disk is full", async () => {
      const { status, body } = await ask("/v1/work-items", { title: "Fill", body: "x".repeat(90_000) });
      if (status !== 200) return { status, body };
      acknowledged.push((JSON.parse(body) as { workItem: { id: string } }).workItem.id);
      return undefined;
    });
    expect(refused.status).toBe(503);
    expect(refused.body).toContain('"store.unavailable"');
    expect(await ask("/healthz")).toMatchObject({ status: 503, body: '{"ok":false}' });
    const cursor = await lastSequence();
    expect((await ask("/v1/work-items", { title: "One more", body: "y".repeat(90_000) })).status).toBe(503);
    expect(await lastSequence()).toBe(cursor);
    for (const id of acknowledged) expect((await ask(`/v1/work-items/${id}`)).status).toBe(200);

    small.child.stdin!.write("there is room\n");
    const after = await until("it goes on", async () => {
      const { status } = await ask("/v1/work-items", { title: "Room again", body: "z".repeat(90_000) });
      return status === 200;
    });
    expect(after).toBe(true);

    async function lastSequence(): Promise<number> {
      const { body } = await ask("/v1/events?after=0&limit=1000");
      return (JSON.parse(body) as { lastSequence: number }).lastSequence;
    }
  });
});

describe("logs and doctor", () => {
  it("show what the daemon wrote, as lines or as JSON, the last ones first asked for [CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const all = await daemon.sylk(["logs"]);
    expect(all.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info +daemon\.started pid=\d+/m);
    const lines = (await daemon.sylk(["logs", "--json"])).stdout.trim().split("\n");
    const facts = lines.map((line) => JSON.parse(line) as { event: string; pid?: number });
    expect(facts).toContainEqual(expect.objectContaining({ event: "daemon.started", pid: daemon.pid }));
    expect((await daemon.sylk(["logs", "-n", "1"])).stdout.trim().split("\n")).toHaveLength(1);
  });

  it("follow the log until Ctrl-C, through a restart [CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const following = daemon.start(["logs", "--follow", "--json"]);
    await until("the first start is shown", () => following.output().includes("daemon.started"));
    await daemon.sylk(["down"]);
    await until("the stop is shown", () => following.output().includes("daemon.stopped"));
    await daemon.restart();
    await until("the second start is shown", () => following.output().split("daemon.started").length === 3);
    process.kill(following.pid, "SIGINT");
    expect((await following.ended).code).toBe(0);
  });

  it("find everything well, or name the problem and the way out [CORE-17]", async () => {
    await using daemon = await openScratchDaemon();
    const well = await daemon.sylk(["doctor", "--json"]);
    expect([well.code, jsonOf<Findings>(well).healthy]).toEqual([0, true]);
    chmodSync(daemon.paths.token, 0o644);
    const open = await daemon.sylk(["doctor", "--json"]);
    expect(open.code).toBe(7);
    expect(jsonOf<Findings>(open)).toMatchObject({
      healthy: false,
      findings: expect.arrayContaining([
        expect.objectContaining({ check: "token", state: "problem", fix: `chmod 600 ${daemon.paths.token}` }),
      ]),
    });
  });
});

type Findings = {
  readonly healthy: boolean;
  readonly findings: readonly { check: string; state: string; what: string; fix?: string }[];
};

const ordinaryUser = 65_534;
const foreignServer = `require("node:net").createServer().listen(0, "127.0.0.1", function () { process.stdout.write(String(this.address().port)); })`;

/** Holds back two of its six megabytes until a line comes in. */
const serveOnSmallDisk = `
  mkdir -p "$SYLK_HOME" && mount -t tmpfs -o size=6m,mode=700 none "$SYLK_HOME" || exit 1
  cp -p "$ROOT/token" "$SYLK_HOME/token" && dd if=/dev/zero of="$SYLK_HOME/ballast" bs=1024 count=2048 2>/dev/null
  "$1" "$0" serve --http-port 0 --json &
  read -r line && rm "$SYLK_HOME/ballast"
  wait
`;

/** Run by a user without special rights: to root nothing is read-only. */
async function expectUnusable(
  home: ScratchHome,
  { uid, mode }: { readonly uid: number; readonly mode: number },
  finding: string,
): Promise<void> {
  writeTree(home.paths.home, { "config.yaml": "" });
  const options = process.getuid?.() === 0 ? { uid: ordinaryUser } : {};
  if (process.getuid?.() === 0) {
    chownSync(home.root, ordinaryUser, ordinaryUser);
    for (const path of [home.paths.home, home.paths.config]) chownSync(path, uid, uid);
  }
  chmodSync(home.paths.home, mode);
  for (const words of [["up"], ["serve"], ["who"], ["work", "add", "x"]]) {
    const { code, stderr } = await home.sylk(words, options);
    expect(code, `${words.join(" ")}: ${stderr}`).toBe(7);
    expect(stderr).not.toContain("A defect in Sylk");
    expect(stderr).toMatch(/cannot be used: .+(SYLK_HOME|sylk doctor)/);
  }
  expect((await home.sylk(["status"], options)).code).toBe(7);
  const doctor = await home.sylk(["doctor"], options);
  expect([doctor.code, doctor.stdout]).toEqual([7, expect.stringContaining(finding)]);
  chmodSync(home.paths.home, 0o700);
}

function askAsUser(port: number, home: ScratchHome, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${readFileSync(`${home.root}/token`, "utf8").trim()}`,
    "sylk-project": encodeURIComponent(home.repository),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const place = { host: "127.0.0.1", port };
  return send(place, { path, headers, ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }) });
}
