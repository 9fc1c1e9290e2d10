/** Paths that lead elsewhere, asked for through operations: reservations, projects, and what a run leaves for git. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { finish, plan, work, write } from "../flows/scenario-turns.ts";
import { makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { type StoreWatch, watchStore } from "./store-state.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
let store: StoreWatch;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  store = watchStore(daemon.paths.database, ["idempotency"]);
});
afterAll(async () => {
  store[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
});

describe("a reservation is for files of the tree", () => {
  it.each([
    "..",
    "../shop/a.ts",
    "src/../../a.ts",
    "/etc/passwd",
    "//etc/passwd",
    "",
    ".",
    "a\0b.ts",
    "y".repeat(1_025),
  ])("not for %j, by name or by pattern [CORE-22]", async (path) => {
    const before = store.state();
    for (const input of [{ paths: [path] }, { patterns: [path] }, { paths: ["src/a.ts", path] }])
      await expect(heron.client.call("reservation.acquire", input)).rejects.toMatchObject({ code: "input.invalid" });
    expect(store.state()).toEqual(before);
  });
});

describe("a project's folder", () => {
  it.each([
    ["a NUL", (root: string) => `${root}/a\0b`, "project.not-found"],
    ["nothing", (root: string) => join(root, "nothing"), "project.not-found"],
    ["a relative path", () => "../..", "input.invalid"],
    ["3,000 letters", (root: string) => join(root, "y".repeat(3_000)), "project.not-found"],
    ["5,000 letters", (root: string) => join(root, "y".repeat(5_000)), "input.invalid"],
    ["a link to itself", (root: string) => linkIn(root, "loop", "loop"), "project.not-found"],
  ])("is not %s [CORE-22]", async (_what, pathIn, code) => {
    const path = pathIn(daemon.root);
    const before = store.state();
    await expect(register(path)).rejects.toMatchObject({ code });
    expect(store.state()).toEqual(before);
  });

  it.each<[string, (dotGit: string) => void]>([
    ["a pipe", (dotGit) => void execFileSync("mkfifo", [dotGit])],
    ["a device that never ends", (dotGit) => symlinkSync("/dev/zero", dotGit)],
    ["a folder whose pointer is a pipe", (dotGit) => pipeFor(dotGit)],
    ["a file that points nowhere", (dotGit) => writeFileSync(dotGit, `gitdir: ${"../".repeat(2_000)}nowhere`)],
    ["100 MB of nothing", (dotGit) => emptyFile(dotGit, 100_000_000)],
  ])("is answered for at once when its .git is %s [CORE-22]", async (what, make) => {
    const folder = join(daemon.root, what.replaceAll(/\W/g, "-"));
    mkdirSync(folder);
    make(join(folder, ".git"));
    await expect(register(folder)).resolves.toMatchObject({ agent: { status: "active" } });
    expect((await daemon.user.call("daemon.status", {})).running).toBe(true);
  });
});

// After the refusals: a granted hold lets the daemon write on its own for a while.
it("two spellings of one name are one file [CORE-22, RSV-18]", async () => {
  for (const path of ["src/./b.ts", "src//b.ts", "src/x/../b.ts"])
    expect((await heron.client.call("reservation.acquire", { paths: [path] })).reservation.paths).toEqual(["src/b.ts"]);
  await heron.client.call("reservation.acquire", { paths: ["src/caf\u0065\u0301.ts"] });
  for (const input of [{ paths: ["src/caf\u00e9.ts"] }, { patterns: ["src/caf\u00e9.*"] }])
    await expect(otter.client.call("reservation.acquire", input)).rejects.toMatchObject({
      code: "reservation.conflict",
    });
});

it("whatever a model writes, git runs none of it, nor the repository's hooks, when the run is merged [RUN-3]", async () => {
  const shop = makeQuickShop(daemon);
  const ran = join(daemon.root, "ran");
  const hook = `#!/bin/sh\necho hook >> ${ran}\n`;
  for (const name of ["pre-commit", "post-merge", "post-checkout", "pre-merge-commit"]) {
    const file = join(shop.repository, ".git/hooks", name);
    writeFileSync(file, hook);
    chmodSync(file, 0o755);
  }
  const planted = [
    write(".git/hooks/post-merge", hook),
    write(".GIT/hooks/post-merge", hook),
    write("src/.git/config", `[core]\n\tfsmonitor = "echo fsmonitor >> ${ran}"\n`),
    write(".g\u200cit/config", "[core]\n"),
    write(".gitattributes", "* filter=evil diff=evil merge=evil\n"),
    write(".gitmodules", `[submodule "evil"]\n\tpath = evil\n\turl = .\n\tupdate = !echo module >> ${ran}\n`),
    write(".gitconfig", `[alias]\n\tstatus = !echo alias >> ${ran}\n`),
    write(".githooks/post-merge", hook),
  ];
  const turns = [
    plan([{ key: "price" }]),
    ...work("price", planted, write("src/price.ts", "export const price = 1;\n"), finish()),
  ];
  const { run } = await shop.run(turns);
  expect(run.status, "such files are not waved through").toBe("unverified");
  expect((await shop.sylk("merge", run.id, "--unverified")).code).toBe(0);
  const changed = shop.git("diff", "--name-only", "HEAD^1", "HEAD").split("\n");
  expect(changed).toEqual([".gitattributes", ".gitconfig", ".githooks/post-merge", ".gitmodules", "src/price.ts"]);
  expect(existsSync(ran)).toBe(false);
});

let sessions = 0;
function register(path: string) {
  return daemon.user.call("agent.register", { sessionKey: `path-${++sessions}`, client: "other", project: { path } });
}

function linkIn(root: string, name: string, target: string): string {
  symlinkSync(target, join(root, name));
  return join(root, name);
}

function emptyFile(file: string, size: number): void {
  writeFileSync(file, "");
  truncateSync(file, size);
}

function pipeFor(dotGit: string): void {
  mkdirSync(dotGit);
  writeFileSync(join(dotGit, "HEAD"), "ref: refs/heads/main\n");
  execFileSync("mkfifo", [join(dotGit, "commondir")]);
}
