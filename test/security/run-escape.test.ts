/**
 * A run's model with nothing but `npm test` allowed tries to get out of its sandbox: through `sylk run`, with a real
 * daemon, worker and kernel. Each attempt is blocked, and the run's verdict is about its tests alone.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Approval, Run } from "../../src/contract/index.ts";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { processesIn } from "../flows/run-processes.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { command, finish, plan, work, write } from "../flows/scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { endedRun, goodChange, makeQuickShop, type Shop, shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";

const attempts = readFileSync(join(import.meta.dirname, "escape-attempts.mjs"), "utf8");
const daemons: ScratchDaemon[] = [];
const folders: string[] = [];
let server: Server;

beforeAll(async () => {
  // As a user's home, it lies outside of the folder that the sandbox empties in any case.
  vi.stubEnv("TMPDIR", "/var/tmp");
  server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterAll(async () => {
  server.close();
  await Promise.all(daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
  for (const folder of folders) rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});
beforeEach(({ skip }) => skip(noSandbox !== "", noSandbox));

async function open(env: Record<string, string> = {}): Promise<ScratchDaemon> {
  const daemon = await openScratchDaemon({ env: { ...shopEnv, ...env } });
  daemons.push(daemon);
  return daemon;
}

/** A user's home and tree with what must not get out. */
function userOf(daemon: ScratchDaemon, shop: Shop): string {
  const home = join(daemon.root, "user");
  mkdirSync(join(home, ".ssh"), { recursive: true });
  writeFileSync(join(home, ".ssh", "id_ed25519"), "hidden-word");
  writeFileSync(join(home, ".netrc"), "hidden-word");
  writeFileSync(join(shop.repository, ".env"), "PASSWORD=hidden-word\n");
  mkdirSync(join(shop.repository, "node_modules", ".cache"), { recursive: true });
  shop.git("remote", "add", "origin", "https://ada:hidden-word@example.invalid/shop.git");
  return home;
}

const waitingOf = async (shop: Shop): Promise<Approval | undefined> =>
  jsonOf<{ items: Approval[] }>(await shop.sylk("approvals", "--json")).items[0];

/** One engineer waits for an approval; another one runs the attempts, which also try to give it. */
async function attack(daemon: ScratchDaemon) {
  const shop = makeQuickShop(daemon, {
    "package.json": '{ "type": "module", "scripts": { "test": "node test/escape.test.ts" } }\n',
    ".gitignore": "node_modules/\n.env\nbeats\ntargets.json\n",
  });
  shop.commit({ "second.txt": "a commit to go back from\n" });
  const home = userOf(daemon, shop);
  const before = shop.snapshot();
  const targets = join(shop.repository, "targets.json");
  const PATH = ["node_modules/.bin", shopEnv.PATH].join(delimiter);
  const started = shop.start(
    [
      plan([{ key: "ask" }, { key: "escape" }]),
      ...work("ask", command("sh", "-c", "echo approved > approved.txt"), finish("asked")),
      ...work("escape", write("test/escape.test.ts", attempts.replace("TARGETS", targets)), command("npm", "test"), {
        expect: { toolResult: "tries every way out" },
        reply: [finish("tried")],
      }),
    ],
    { env: { PATH } },
  );
  const approval = await until("a command waits for its approval", () => waitingOf(shop));
  writeFileSync(
    targets,
    JSON.stringify({
      repository: shop.repository,
      home,
      sylkHome: daemon.paths.home,
      socket: daemon.paths.socket,
      pid: daemon.pid,
      port: daemon.port,
      server: (server.address() as AddressInfo).port,
      approval: approval.id,
    }),
  );
  const { run: id } = approval;
  const { run } = jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json"));
  const { tree } = run.workspace!;
  await until("the attempts were made", () => existsSync(join(tree, "escape-results.json")), { withinMs: 60_000 });
  const results = JSON.parse(readFileSync(join(tree, "escape-results.json"), "utf8")) as Record<string, unknown>;
  const stillWaiting = (await waitingOf(shop))?.id === approval.id;
  await shop.sylk("approve", approval.id, "--reject");
  const ended = endedRun(await started.ended);
  rmSync(targets);
  return { shop, home, tree, results, stillWaiting, ended, before };
}

describe.concurrent("the sandbox of a run", { timeout: 120_000 }, () => {
  it("keeps a run's tests from everything but its tree, and from approving their own command [RUN-17]", async () => {
    const daemon = await open();
    const { shop, home, tree, results, stillWaiting, ended, before } = await attack(daemon);
    const { "git log": log, "git status": status, ...attempted } = results;
    const done = Object.entries(attempted).filter(([, result]) => !String(result).startsWith("blocked: "));
    expect([done, Object.keys(attempted).length]).toEqual([[], 27]);
    expect([log, status, stillWaiting]).toEqual([2, true, true]);
    expect([ended.run.status, ended.run.reason]).toEqual(["verified", undefined]);
    expect(existsSync(join(tree, "approved.txt"))).toBe(false);
    // Our own git has looked at the tree, and at the repository that the model made in it.
    expect((await shop.sylk("diff", ended.run.id)).stdout).toContain("nested");
    expect(existsSync(join(home, "evil"))).toBe(false);
    expect(shop.snapshot()).toEqual(before);
    expect([shop.git("rev-parse", "main"), shop.git("config", "-l")]).toEqual([
      ended.run.workspace!.baseCommit,
      expect.not.stringContaining("fsmonitor"),
    ]);
    expect(existsSync(join(shop.repository, "node_modules", ".cache", "x"))).toBe(false);
    await until("the process that left its group is gone", () => processesIn(tree).length === 0);
    expect((await daemon.sylk(["doctor"])).stdout).toContain("are sandboxed (bubblewrap), without network");
    expect((await daemon.sylk(["status"])).code).toBe(0);
  });

  it("reaches the daemon's port when the network is allowed, but has no token to approve with [RUN-17]", async () => {
    const daemon = await open({ SYLK_RUNS_NETWORK: "on" });
    const { results, stillWaiting, ended } = await attack(daemon);
    expect(results).toMatchObject({
      "reach a server outside": "DONE reached",
      "approve by TCP": "DONE HTTP/1.1 401",
      "approve by the socket": expect.stringContaining("blocked"),
      "read the token": expect.stringContaining("blocked"),
    });
    expect([stillWaiting, ended.run.status]).toEqual([true, "verified"]);
  });

  /** Every program of the PATH but bubblewrap. */
  function programs(): string {
    const folder = mkdtempSync(join(tmpdir(), "sylk-programs-"));
    folders.push(folder);
    for (const place of shopEnv.PATH!.split(delimiter).filter((name) => existsSync(name)))
      for (const name of readdirSync(place))
        if (name !== "bwrap" && !existsSync(join(folder, name))) symlinkSync(join(place, name), join(folder, name));
    return folder;
  }

  it("says so once and asks a person before each command, which runs only when approved [RUN-17]", async () => {
    const daemon = await open({ PATH: programs() });
    const shop = makeQuickShop(daemon);
    const reason = "bubblewrap is not installed";
    const asked = `Run this command without a sandbox (${reason})? node test/format.test.ts`;
    for (const [flags, status, outcome] of [
      [["--reject"], "unverified", "not-run"],
      [[], "verified", "pass"],
    ] as const) {
      const started = shop.start(goodChange());
      const approval = await until("the check waits for its approval", () => waitingOf(shop));
      expect(approval).toMatchObject({ kind: "command", question: asked });
      await shop.sylk("approve", approval.id, ...flags);
      const { run, events } = endedRun(await started.ended);
      const said = events.filter(({ type }) => type === "run.started").map(({ data }) => data.reason);
      expect(said).toEqual([
        expect.stringContaining(`no sandbox works here (${reason}), so each of its commands asks you first`),
      ]);
      expect([run.status, run.checks.find(({ kind }) => kind === "tests")?.outcome]).toEqual([status, outcome]);
    }
    const { stdout } = await daemon.sylk(["doctor"]);
    expect(stdout).toMatch(/sandbox .*bubblewrap is not installed/);
  });
});
