/** `sylk scan` and the skill scan_remote_repo: repositories of a git server on loopback, through a real daemon. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchFolder } from "../../src/platform/store/testkit.ts";
import { type GitServer, openGitServer } from "./git-server.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";

const token = "tkn-5f1b0c9e7d6a4b3c";
const root = scratchFolder();
const mark = join(root.path, "executed");
let server: GitServer;
let daemon: ScratchDaemon;
let heron: ScratchAgent;

beforeAll(async () => {
  repository("shop", {
    "src/price.py": "def price_of(order):\n    return order.cents\n",
    "pyproject.toml": "[tool.ruff]\nline-length = 100\n",
    "post-checkout": "ignored",
  });
  repository("large", { "large.bin": Buffer.from(Array.from({ length: 2_000_000 }, () => Math.random() * 256)) });
  hostile();
  server = await openGitServer(root.path, { token, isStuck: (url) => url.startsWith("/stuck") });
  daemon = await openScratchDaemon({
    env: {
      SYLK_SCAN_HOSTS: `${server.host}=SHOP_CREDENTIAL`,
      SYLK_SCAN_MAX_BYTES: "1048576",
      SYLK_SCAN_TIMEOUT_MS: "2000",
      SHOP_CREDENTIAL: token,
    },
  });
  heron = await daemon.register("heron");
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  root[Symbol.dispose]();
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], { cwd, encoding: "utf8" });

function repository(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(root.path, name);
  mkdirSync(join(folder, "src"), { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch", "main");
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "First");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "Second");
  return folder;
}

/** Hooks, a submodule by a helper, a filter and a link out of the tree. */
function hostile(): void {
  const folder = repository("hostile", {
    ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${mark}\n`,
    ".gitattributes": "*.txt filter=evil\n",
    "a.txt": "text\n",
  });
  execFileSync("ln", ["-s", "/etc/passwd", join(folder, "link")]);
  const head = git(folder, "rev-parse", "HEAD").trim();
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${head},x`);
  git(folder, "add", "link");
  git(folder, "commit", "--quiet", "--message", "Hostile");
  for (const hook of ["post-checkout", "post-merge", "post-upload-pack"]) {
    const file = join(folder, ".git/hooks", hook);
    mkdirSync(join(folder, ".git/hooks"), { recursive: true });
    writeFileSync(file, `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(file, 0o755);
  }
}

const address = (name: string): string => `http://${server.host}/${name}/.git`;
const scan = async (input: Readonly<Record<string, unknown>>) =>
  (await heron.client.call("skill.call", { name: "scan_remote_repo", role: "librarian", input })).result as {
    tree: string;
    commit: string;
    map: string;
  };

it("a repository of an allowed host is cloned with its credential's name and described [LIB-29]", async () => {
  const url = address("shop");
  const result = await scan({ url, auth_token: "env:SHOP_CREDENTIAL" });
  expect(result).toMatchObject({
    url,
    shallow: true,
    commit: git(join(root.path, "shop"), "rev-parse", "HEAD").trim(),
    languages: [{ name: "python", files: 1 }],
    tools: expect.arrayContaining(["ruff"]),
    folders: [{ path: "src", files: 1 }],
    map: expect.stringContaining("price_of"),
    about: { notIndexed: { waiting: 0 } },
  });
  expect(git(result.tree, "rev-list", "--count", "HEAD").trim()).toBe("1");
  const full = await scan({ url, auth_token: "env:SHOP_CREDENTIAL", shallow: false });
  expect(git(full.tree, "rev-list", "--count", "HEAD").trim()).toBe("2");
  const shown = await daemon.sylk(["scan", url, "--auth", "SHOP_CREDENTIAL"]);
  expect(shown.stdout).toContain(`${url} at ${result.commit.slice(0, 8)}: `);
  expect(shown.stdout).toContain("languages: python (1)");
});

it("the token is sent to its host and found in no answer, log, argument or configuration [LIB-29]", async () => {
  await scan({ url: address("shop"), auth_token: "env:SHOP_CREDENTIAL" });
  const sent = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  expect(server.seen.at(-1)!.authorization).toBe(sent);
  const refused = await daemon.sylk(["scan", address("shop")]);
  expect(refused.code).toBe(7);
  const written = [
    ...readdirSync(join(daemon.paths.home, "log")).map((name) => join(daemon.paths.home, "log", name)),
    join((await scan({ url: address("shop"), auth_token: "env:SHOP_CREDENTIAL" })).tree, ".git/config"),
  ].map((file) => readFileSync(file, "utf8"));
  for (const text of [...written, refused.stdout, refused.stderr]) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(sent.slice(6));
  }
});

it("hooks, submodules, filters and links of a clone do nothing", async () => {
  const { tree } = await scan({ url: address("hostile"), auth_token: "env:SHOP_CREDENTIAL" });
  expect(existsSync(mark)).toBe(false);
  expect(readdirSync(join(tree, "x"))).toEqual([]);
  expect(readFileSync(join(tree, "link"), "utf8")).toBe("/etc/passwd");
});

it("a clone that is too large or takes too long is ended, and nothing of it stays", async () => {
  for (const [name, limit] of [
    ["large", "scan.maxBytes"],
    ["stuck", "scan.timeoutMs"],
  ] as const)
    await expect(scan({ url: address(name), auth_token: "env:SHOP_CREDENTIAL" })).rejects.toMatchObject({
      code: "workspace.unavailable",
      message: expect.stringContaining(limit),
    });
  expect(readdirSync(join(daemon.paths.home, "scans")).filter((name) => name.endsWith(".new"))).toEqual([]);
});

it("the five latest clones stay; an older one leaves with its index", async () => {
  const home = (name: string) => readdirSync(join(daemon.paths.home, name));
  const trees = [];
  for (const name of ["one", "two", "three", "four", "five", "six"]) {
    repository(name, { "src/a.py": `def ${name}(): pass\n` });
    trees.push((await scan({ url: address(name), auth_token: "env:SHOP_CREDENTIAL" })).tree);
  }
  expect(trees.map((tree) => existsSync(tree))).toEqual([false, true, true, true, true, true]);
  const clones = home("scans").sort();
  const indexed = home("index").filter((name) => name.endsWith(".db") && /^[0-9a-f]{24}-/.test(name));
  expect(indexed.map((name) => name.slice(0, 24)).sort()).toEqual(clones);
});

it("a hostile address starts nothing, and a host that is not allowed gets no request", async () => {
  const before = server.seen.length;
  for (const url of [`ext::sh -c touch% ${mark}`, `--upload-pack=touch ${mark}`, "-", `file://${root.path}/shop`])
    expect((await daemon.sylk(["scan", "--", url])).code).toBe(2);
  expect((await daemon.sylk(["scan", "https://example.com/a"])).code).toBe(8);
  const other = await daemon.sylk(["scan", address("shop").replace("127.0.0.1", "localhost")]);
  expect(other.code).toBe(8);
  expect(existsSync(mark)).toBe(false);
  expect(server.seen.length).toBe(before);
});

it("without scan.hosts Sylk connects nowhere and says how to allow it; limits are 200 MB and two minutes [LIB-29]", async () => {
  await using closed = await openScratchDaemon();
  writeTree(closed.repository, { "a.txt": "a\n" });
  const { code, stderr } = await closed.sylk(["scan", address("shop")]);
  expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("sylk config set scan.hosts") });
  const settings = await closed.sylk(["config", "show", "--json"]);
  expect(settings.stdout).toMatch(/"scan\.maxBytes"[^}]*209715200/);
  expect(settings.stdout).toMatch(/"scan\.timeoutMs"[^}]*120000/);
});
