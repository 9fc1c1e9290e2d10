/** A home, a socket's place or a port that is not as the daemon needs it. */
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { homePaths } from "../../src/platform/home/index.ts";
import { killAndWait } from "../flows/processes.ts";
import { jsonOf, mainScript, startProcess, type SylkRun } from "../flows/run-sylk.ts";
import { openScratchHome, type ScratchHome } from "../flows/scratch-home.ts";
import { within } from "../flows/until.ts";
import type { Findings } from "./every-way.ts";

const root = process.getuid?.() === 0;
const needsRoot = "only root can give a folder to somebody else";

describe("a home on a read-only disk", () => {
  it("is named as such by every command, with exit code 7 and the way out", async ({ skip }) => {
    await using home = openScratchHome();
    const probe = await onReadOnlyDisk(home, ["--version"]);
    skip(probe.code !== 0, `no file system of its own: ${probe.stderr.trim()}`);
    const sentence = `The home ${home.paths.home} cannot be used: it is read-only`;
    for (const words of [["serve"], ["up"], ["work", "add", "x"], ["ready"]]) {
      const text = await onReadOnlyDisk(home, words);
      expect([text.code, text.stdout], words.join(" ")).toEqual([7, ""]);
      expect(text.stderr, words.join(" ")).toContain(sentence);
      expect(text.stderr).toContain("or set SYLK_HOME to another folder");
      expect(jsonOf(await onReadOnlyDisk(home, [...words, "--json"]))).toMatchObject({
        error: { code: expect.stringMatching(/^(store\.unavailable|daemon\.start-failed)$/) },
      });
    }
    expect((await onReadOnlyDisk(home, ["status"])).code).toBe(7);
    const doctor = await onReadOnlyDisk(home, ["doctor", "--json"]);
    expect([doctor.code, jsonOf<Findings>(doctor).findings]).toEqual([
      7,
      [
        {
          check: "home",
          state: "problem",
          what: `${home.paths.home} is on a read-only file system`,
          fix: "mount it writable, or set SYLK_HOME",
        },
      ],
    ]);
  });

  /** Read-only for root too: modes alone would not stop it. */
  function onReadOnlyDisk(home: ScratchHome, words: readonly string[]): Promise<SylkRun> {
    const script = `
      mkdir -p "$SYLK_HOME" && mount -t tmpfs -o size=1m,mode=700 none "$SYLK_HOME" || exit 99
      mount -o remount,ro "$SYLK_HOME" || exit 99
      exec "$@"`;
    const args = ["-rm", "sh", "-c", script, "sh", process.execPath, mainScript, ...words];
    const { ended } = startProcess("unshare", args, { env: home.env, cwd: home.root });
    return within(`"sylk ${words.join(" ")}" ends`, ended, { withinMs: 45_000 });
  }
});

describe("a home of another user", () => {
  it("is not served by root either, which could: its owner could not use it any more", async ({ skip }) => {
    skip(!root, needsRoot);
    await using home = openScratchHome();
    mkdirSync(home.paths.home, { mode: 0o700 });
    chownSync(home.paths.home, 65_534, 65_534);
    const sentence = `The home ${home.paths.home} cannot be used: it belongs to another user (uid 65534); run this as that user, or set SYLK_HOME to a folder of yours`;
    const serve = await home.sylk(["serve", "--json"]);
    expect([serve.code, jsonOf(serve)]).toMatchObject([7, { error: { code: "store.unavailable", message: sentence } }]);
    for (const words of [["up"], ["work", "add", "x"]]) {
      const { code, stderr } = await home.sylk(words);
      expect([code, stderr]).toEqual([7, expect.stringContaining(sentence)]);
    }
    const doctor = await home.sylk(["doctor"]);
    expect([doctor.code, doctor.stdout]).toEqual([7, expect.stringContaining("belongs to another user (uid 65534)")]);
    expect(
      readdirSync(home.paths.home).filter((name) => name !== "log"),
      "nothing is left in it",
    ).toEqual([]);
  });
});

describe("the short folder for the socket of a home with a long path", () => {
  const uid = 64_217;
  const folder = `/tmp/sylk-${uid}`;

  it.for([
    ["somebody else's", "it belongs to another user (uid 0)", () => mkdirSync(folder, { mode: 0o700 })],
    ["open to others", "other users may enter it", () => own(mkdirSync(folder)) ?? chmodSync(folder, 0o755)],
    ["a link", "it is not a folder", () => own(symlinkSync("/tmp", folder))],
    ["a file", "it is not a folder", () => own(writeFileSync(folder, ""))],
  ] as const)("is refused when it is %s: no token goes there", async ([, reason, prepare], { skip }) => {
    skip(!root, needsRoot);
    await using home = openLongHome();
    try {
      prepare();
      for (const words of [["serve"], ["up"], ["ready"], ["status"], ["down"]]) {
        const { code, stderr } = await home.sylk(words, { uid });
        expect([code, stderr], words.join(" ")).toEqual([
          7,
          expect.stringContaining(`The socket's folder ${folder} cannot be trusted: ${reason}`),
        ]);
        expect(stderr).toContain("SYLK_HOME");
      }
      const doctor = await home.sylk(["doctor"], { uid });
      expect([doctor.code, doctor.stdout]).toEqual([7, expect.stringMatching(/problem +socket +.*cannot be trusted/)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is the same for every command, whatever its temporary folder is called", async ({ skip }) => {
    skip(!root, needsRoot);
    await using home = openLongHome();
    try {
      expect((await home.sylk(["up"], { uid, env: { TMPDIR: "/tmp" } })).code).toBe(0);
      const added = await home.sylk(["work", "add", "x"], { uid, env: { TMPDIR: "/var/tmp" } });
      expect(added.code, added.stderr).toBe(0);
      expect((await home.sylk(["down"], { uid })).code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  function own(_made: unknown): void {
    lchownSync(folder, uid, uid);
  }

  function openLongHome(): ScratchHome {
    const home = openScratchHome({ home: `${"long/".repeat(30)}home` });
    for (let path = home.paths.home; path.length >= home.root.length; path = path.slice(0, path.lastIndexOf("/"))) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chownSync(path, uid, uid);
    }
    return home;
  }
});

describe("the socket's place", () => {
  it("may hold a plain file, which is replaced, but not a folder, which is named [CORE-17]", async () => {
    await using home = openScratchHome();
    mkdirSync(home.paths.home, { mode: 0o700 });
    mkdirSync(home.paths.socket);
    const serve = await home.sylk(["serve", "--json"]);
    const sentence = `There is a folder at ${home.paths.socket}, where the daemon's socket belongs; move it away and start again`;
    expect([serve.code, jsonOf(serve)]).toMatchObject([
      7,
      { error: { code: "daemon.start-failed", message: sentence } },
    ]);
    expect((await home.sylk(["ready"])).stderr).toContain(sentence);
    rmSync(home.paths.socket, { recursive: true });
    writeFileSync(home.paths.socket, "a plain file");
    expect((await home.sylk(["ready"])).code).toBe(0);
  });
});

describe("a port that another program has", () => {
  it("is left to them, although they answer as we would; nothing is ever asked there [CORE-17]", async () => {
    await using foreign = await openForeignServer();
    await using home = openScratchHome({ env: { SYLK_HTTP_PORT: String(foreign.port) } });
    expect((await home.sylk(["status"])).code, "they are not taken for the daemon").toBe(7);
    const before = jsonOf<Findings>(await home.sylk(["doctor", "--json"]));
    expect(before.findings).toContainEqual({
      check: "port",
      state: "warning",
      what: `${foreign.port} is taken by another program; the daemon will listen on the next free one`,
      fix: `free port ${foreign.port}, or set http.port`,
    });
    const { url } = jsonOf<{ url: string }>(await home.sylk(["up", "--json"]));
    expect(Number(new URL(url).port)).toBeGreaterThan(foreign.port);
    for (const words of [["work", "add", "x"], ["ready"], ["status"], ["doctor"], ["down"]])
      expect((await home.sylk(words)).code, words.join(" ")).toBe(0);
    expect(foreign.asked).toEqual([]);
  });

  it("is not asked either when the record of a killed daemon still names it [CORE-17]", async () => {
    await using home = openScratchHome();
    const killed = jsonOf<{ url: string; pid: number }>(await home.sylk(["up", "--json"]));
    await killAndWait(killed.pid);
    await using foreign = await openForeignServer(Number(new URL(killed.url).port));
    expect(jsonOf(await home.sylk(["status", "--json"]))).toMatchObject({ running: false, url: null });
    expect((await home.sylk(["ready"])).code).toBe(0);
    const { url } = jsonOf<{ url: string }>(await home.sylk(["status", "--json"]));
    expect(url).not.toBe(killed.url);
    expect(foreign.asked).toEqual([]);
  });

  /** Answers everything with 200, as a health check would like it. */
  async function openForeignServer(port = 0) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    });
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    return {
      asked,
      port: (server.address() as AddressInfo).port,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => void server.close(resolve));
      },
    };
  }
});

describe("the log", () => {
  it("that cannot be written stops nothing, is told of everywhere, and continues when it can [CORE-17]", async () => {
    await using home = openScratchHome();
    mkdirSync(home.paths.home, { mode: 0o700 });
    writeFileSync(home.paths.logs, "a file where the log's folder belongs");
    expect((await home.sylk(["work", "add", "x"])).code).toBe(0);
    // That it started, and that its folder is none in which commits past the gate could be kept.
    const what = /^The log cannot be written \(.+\); 2 lines are lost so far\. Everything else works$/;
    const status = jsonOf(await home.sylk(["status", "--json"]));
    const trouble = { part: "log", what: expect.stringMatching(what), fix: expect.any(String) };
    expect(status).toMatchObject({ store: { state: "ok" }, troubles: [trouble] });
    expect((await home.sylk(["status"])).stdout).toMatch(/^trouble +log: The log cannot be written/m);
    const doctor = await home.sylk(["doctor", "--json"]);
    expect(doctor.code).toBe(7);
    expect(jsonOf<Findings>(doctor).findings).toContainEqual(
      expect.objectContaining({ check: "logging", state: "problem", what: expect.stringMatching(what) }),
    );
    rmSync(home.paths.logs);
    expect(jsonOf(await home.sylk(["status", "--json"]))).toMatchObject({ troubles: [] });
    expect((await home.sylk(["logs"])).stdout).toMatch(/warn +log\.lines-lost count=2/);
    expect((await home.sylk(["doctor"])).code).toBe(0);
  });
});

it("a home's paths need no entry in the machine's list of users", () => {
  expect(homePaths({ SYLK_HOME: `/srv/${"deep/".repeat(30)}` }).socket).toContain(`/tmp/sylk-${process.getuid!()}/`);
});
