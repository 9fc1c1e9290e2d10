import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { harmlessConfig } from "./sandbox-git.ts";
import { createSandbox, enclose } from "./sandbox.ts";
import { noSandbox } from "./testkit.ts";

const isRoot = process.getuid?.() === 0;
const users = isRoot
  ? [
      { name: "root", uid: 0 },
      { name: "an ordinary user", uid: 65_534 },
    ]
  : [{ name: "this user", uid: process.getuid!() }];

/** A user's repository and home, and a run's worktree inside Sylk's home. */
function openWorld(uid: number) {
  const folder = scratchFolder();
  chmodSync(folder.path, 0o755);
  const at = (...names: string[]): string => join(folder.path, ...names);
  for (const name of ["user/.real-ssh", "user/.sylk/worktrees", "user/shop"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("user/.real-ssh/id"), "private");
  symlinkSync(".real-ssh", at("user/.ssh"));
  writeFileSync(at("user/.sylk/token"), "token");
  writeFileSync(at("user/.npmrc"), "secret");
  writeFileSync(at("user/shop/a.ts"), "mine\n");
  const tree = at("user/.sylk/worktrees/run");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: at("user/shop"),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env.PATH, HOME: at("user") },
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "mine");
  git("remote", "add", "origin", "https://ada:hidden-word@example.invalid/shop");
  git("worktree", "add", "-q", "-b", "run", tree);
  writeFileSync(at("user/shop/.env"), "PASSWORD=secret\n");
  if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, folder.path]);
  const run = (command: string, { network = false, argv = ["bash", "-c", command] as [string, ...string[]] } = {}) => {
    const places = {
      tree,
      repository: at("user/shop"),
      caches: at("user/.sylk/caches"),
      hidden: [at("user/.sylk")],
      network,
    };
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: at("user") };
    const enclosed = enclose({ argv, cwd: tree, env }, places, [at("user")]);
    if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, places.caches]);
    const [program, ...words] = enclosed.argv;
    return spawnSync(program, words, {
      cwd: tree,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: enclosed.env,
      ...(isRoot ? { uid, gid: uid } : {}),
    });
  };
  return { ...folder, at, tree, run, git, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

it("has worked here in a real trial, or says that bubblewrap is not installed", async ({ skip }) => {
  const sandbox = createSandbox({ clock: systemClock(), network: false });
  const path = process.env["PATH"];
  try {
    process.env["PATH"] = "/nowhere";
    expect(await sandbox.state()).toEqual({ enforced: false, reason: "bubblewrap is not installed" });
  } finally {
    process.env["PATH"] = path;
  }
  skip(noSandbox !== "", noSandbox);
  const found = createSandbox({ clock: systemClock(), network: false });
  expect(await found.state()).toEqual({ enforced: true, by: "bubblewrap" });
});

it("copies no address, header or helper of git's configuration", () => {
  const text =
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://a:b@c\n[http]\n\textraheader = x\n[user]\n\tname = t\n';
  expect(harmlessConfig(text)).toBe("[core]\n\tbare = false\n[user]\n\tname = t\n");
  expect(harmlessConfig("url = x\n[Credential]helper = y\n[URL.a]\n insteadOf = b\n[CORE]\n a=b")).toBe(
    "[CORE]\n a=b\n",
  );
});

describe.each(users)("as $name", ({ uid }) => {
  beforeEach(({ skip }) => skip(noSandbox !== "", noSandbox));

  it("writes its tree, its caches and files for a moment, and nothing else", () => {
    using world = openWorld(uid);
    const { at, run, tree } = world;
    expect(run("echo ok > made && echo ok > $GOCACHE && echo ok > $TMPDIR/x && cat made")).toMatchObject({
      status: 0,
      stdout: "ok\n",
      stderr: "",
    });
    const shop = at("user/shop");
    run(`echo lost > ${shop}/a.ts; echo x > ${shop}/.git/hooks/pre-commit; echo x > ${at("user/.bashrc")}`);
    run(`echo x >> ${shop}/.git/config; git config core.fsmonitor evil; echo x > ${at("user/.sylk/new")}`);
    run(
      `mount -o remount,rw /; umount -l ${shop}; unshare -Urm sh -c 'mount -o remount,bind,rw /; echo lost > ${shop}/a.ts'`,
    );
    run("rm .git; mv .git other; echo 'gitdir: /nowhere' > .git; ln -sf x .git");
    expect(readFileSync(join(shop, "a.ts"), "utf8")).toBe("mine\n");
    for (const made of ["shop/.git/hooks/pre-commit", ".bashrc", ".sylk/new"])
      expect(existsSync(at("user", made)), made).toBe(false);
    expect(readFileSync(join(shop, ".git", "config"), "utf8")).not.toMatch(/fsmonitor|^x$/m);
    expect(readFileSync(join(tree, ".git"), "utf8")).toMatch(/^gitdir: .*\/shop\/\.git\/worktrees\/run\n$/);
  });

  it("sees no token, key, socket or configured credential, and no process outside", () => {
    using world = openWorld(uid);
    const { at, run } = world;
    const files = [".ssh/id", ".real-ssh/id", ".sylk/token", ".npmrc", "shop/.env", "shop/.git/config"];
    const { stdout } = run(
      `cd ${at("user")}; cat ${files.join(" ")}; ls -A .sylk /run; git -C .sylk/worktrees/run config -l`,
    );
    expect(stdout).toContain("core.bare=false");
    expect(stdout).not.toMatch(/private|secret|token|hidden-word/);
    const outside = spawn("sleep", ["60"]);
    expect(run(`kill -0 ${outside.pid} || echo unseen; ls /proc | grep -c '^[0-9]'`).stdout).toMatch(
      /^unseen\n[1-9]\n$/,
    );
    outside.kill();
  });

  it("looks at git, tells a missing program from a failing one, and gives the exit code", () => {
    using world = openWorld(uid);
    const { run } = world;
    expect(run("echo two >> a.ts; git status --short; git diff --stat; git log --oneline | wc -l")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ M a\.ts\n.*1 insertion.*\n\s*1\n$/s),
      stderr: "",
    });
    expect(run("exit 7").status).toBe(7);
    expect(run("", { argv: ["no-such-program"] })).toMatchObject({
      status: 127,
      stderr: expect.stringContaining("not found"),
    });
  });

  it("has no network but its own loopback, unless it is allowed", async () => {
    using world = openWorld(uid);
    const server = createServer((_request, response) => response.end("reached")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const probe = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
    expect(world.run(probe).stdout).toBe("");
    expect(world.run(probe, { network: true }).stdout).toBe("reached\n");
    expect(
      world.run(
        "python3 -c 'import socket as s; a=s.create_server((\"127.0.0.1\",0)); s.create_connection(a.getsockname()); print(1)'",
      ).stdout,
    ).toBe("1\n");
    server.close();
  });
});
