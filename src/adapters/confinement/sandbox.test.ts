import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createSandbox, secretPlaces } from "./sandbox.ts";

const sandbox = createSandbox();
const missing = spawnSync(
  "sh",
  ["-c", "bwrap --ro-bind / / --unshare-pid --unshare-net --proc /proc --dev /dev true"],
  {
    encoding: "utf8",
  },
).stderr.trim();
const isRoot = process.getuid?.() === 0;

/** A user's repository and home, and a run's tree inside Sylk's home. */
function openWorld() {
  const folder = scratchFolder();
  chmodSync(folder.path, 0o755);
  const at = (...names: string[]): string => join(folder.path, ...names);
  for (const name of ["user/.ssh", "user/.sylk/worktrees/run", "user/shop/.git/hooks", "cache"])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at("user/.ssh/id"), "private");
  writeFileSync(at("user/.sylk/token"), "token");
  writeFileSync(at("user/.npmrc"), "secret");
  writeFileSync(at("user/shop/a.ts"), "mine\n");
  const uid = isRoot ? 65_534 : process.getuid!();
  if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, folder.path]);
  const tree = at("user/.sylk/worktrees/run");
  const request = { tree, writable: [at("cache")], hidden: secretPlaces(at("user"), at("user/.sylk")), network: false };
  const run = (command: string, as = uid, network = false) => {
    const [program, ...args] = [...sandbox.wordsFor({ ...request, network }), "bash", "-c", command];
    return spawnSync(program, args, {
      cwd: tree,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] },
      ...(isRoot ? { uid: as, gid: as } : {}),
    });
  };
  return { ...folder, at, tree, uid, run, request, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

it("writes its tree and its caches, and nothing else", ({ skip }) => {
  skip(missing !== "", missing);
  using world = openWorld();
  const { at, run } = world;
  for (const uid of isRoot ? [0, world.uid] : [world.uid]) {
    if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, world.tree, at("cache")]);
    expect(run("echo ok > made && echo ok > ../../../../cache/made && cat made", uid)).toMatchObject({
      status: 0,
      stdout: "ok\n",
      stderr: "",
    });
    run(
      `echo lost > ${at("user/shop/a.ts")}; echo x > ${at("user/shop/.git/hooks/pre-commit")}; echo x > ${at("user/.bashrc")}`,
      uid,
    );
    run(
      `mount -o remount,rw /; umount -l ${at("user/shop")}; unshare -Urm sh -c 'mount -o remount,bind,rw /; echo lost > ${at("user/shop/a.ts")}'`,
      uid,
    );
    expect(readFileSync(at("user/shop/a.ts"), "utf8")).toBe("mine\n");
    for (const made of ["user/shop/.git/hooks/pre-commit", "user/.bashrc"]) expect(existsSync(at(made))).toBe(false);
  }
});

it("sees no token, key or socket, and no process outside", ({ skip }) => {
  skip(missing !== "", missing);
  using world = openWorld();
  const { at, run } = world;
  const secrets = ["user/.ssh/id", "user/.sylk/token", "user/.npmrc"].map((name) => at(name)).join(" ");
  expect(
    run(`cat ${secrets}; ls /run /tmp; ls -A ${at("user/.sylk")}`).stdout.replaceAll(/^\/.*:\n|^\n/gm, ""),
  ).not.toMatch(/private|token|secret|sock/);
  const outside = spawn("sleep", ["60"]);
  expect(run(`kill -0 ${outside.pid} || echo unseen; ls /proc | grep -c '^[0-9]'`).stdout).toMatch(/^unseen\n[1-9]\n$/);
  outside.kill();
});

it("has no network but its own loopback, unless it is allowed", async ({ skip }) => {
  skip(missing !== "", missing);
  using world = openWorld();
  const server = createServer((_request, response) => response.end("reached")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const probe = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
  expect(world.run(probe).stdout).toBe("");
  expect(world.run(probe, world.uid, true).stdout).toBe("reached\n");
  expect(
    world.run(
      "python3 -c 'import socket as s; a=s.create_server((\"127.0.0.1\",0)); s.create_connection(a.getsockname()); print(1)'",
    ).stdout,
  ).toBe("1\n");
  server.close();
});

it("gives the command's exit code, and says that it is not installed where it is not", async ({ skip }) => {
  skip(missing !== "", missing);
  using world = openWorld();
  expect(world.run("exit 7").status).toBe(7);
  const path = process.env["PATH"];
  try {
    process.env["PATH"] = "/nowhere";
    expect(await createSandbox().state()).toEqual({ enforced: false, reason: "bubblewrap is not installed" });
  } finally {
    process.env["PATH"] = path;
  }
});
