/** Small sentences of the command line that have to be true. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome } from "./scratch-home.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
});
afterAll(() => daemon[Symbol.asyncDispose]());

it("events --limit shows the newest; with --after it reads on from there", async () => {
  for (const title of ["first", "second", "third"]) await heron.client.call("work-item.create", { title });
  const { stdout } = await daemon.sylk(["events", "--type", "work-item.*", "--limit", "2"]);
  expect(stdout.match(/"\w+"/g)).toEqual(['"second"', '"third"']);
  const onwards = await daemon.sylk(["events", "--type", "work-item.*", "--limit", "1", "--after", "0"]);
  expect(onwards.stdout).toContain('"first"');
});

it("a wait in vain is not answered with the advice to wait", async () => {
  await heron.client.call("reservation.acquire", { paths: ["src/held.ts"] });
  const env = { SYLK_AGENT: "otter" };
  expect((await daemon.sylk(["reserve", "src/held.ts"], { env })).stderr).toContain("--wait");
  const { code, stderr } = await daemon.sylk(["reserve", "src/held.ts", "--wait=50ms"], { env });
  expect(code).toBe(4);
  expect(stderr).toContain("Not granted after");
  expect(stderr).toContain("sylk negotiate rsv_");
  expect(stderr).not.toContain("--wait");
});

it("the way to mark mail as read is for the same reader", async () => {
  await heron.client.call("mail.send", { to: ["otter"], subject: "hello" });
  const { stdout } = await daemon.sylk(["mail", "inbox", "--as", "otter"]);
  const [, hint = ""] = /Mark as read: sylk (.+)/.exec(stdout) ?? [];
  expect(hint).toContain("--as otter");
  expect((await daemon.sylk(hint.split(" "))).code).toBe(0);
  expect((await daemon.sylk(["mail", "inbox", "--as", "otter"])).stdout).toContain("Nothing unread");
});

it("an incident belongs to its project", async () => {
  const crow = await daemon.register("crow", { project: daemon.addRepository("elsewhere") });
  for (let time = 0; time < 6; time++)
    await crow.client.call("health.report", {
      reports: [{ kind: "hook", component: "pre-edit", outcome: "failed", error: "planted" }],
    });
  const there = await daemon.sylk(["incident", "list"], { cwd: crow.agent.tree });
  expect(there.stdout).toContain("pre-edit");
  for (const words of [["incident", "list"], ["health"]])
    expect((await daemon.sylk(words)).stdout, words.join(" ")).not.toContain("planted");
});

describe("provider", () => {
  it("list shows the address, a test that fails tells its family, add names a variable that is not set", async () => {
    const words = ["--kind", "openai-compatible", "--model", "none", "--base-url", "http://127.0.0.1:65000/v1"];
    const added = await daemon.sylk(["provider", "add", "mine", ...words, "--key-variable", "SCRATCH_KEY_NOT_SET"]);
    expect([added.code, added.stderr]).toEqual([
      0,
      expect.stringContaining("SCRATCH_KEY_NOT_SET is not set in this shell"),
    ]);
    await daemon.sylk(["provider", "add", "open", ...words]);
    const wide = { env: { COLUMNS: "120" } };
    expect((await daemon.sylk(["provider", "list"], wide)).stdout).toContain("http://127.0.0.1:65000/v1");
    const tested = await daemon.sylk(["provider", "test", "open"]);
    expect(tested.code).toBe(7);
    expect(tested.stdout).toContain("no answer");
  });
});

it("a graph's file is told all its problems at once, by line", async () => {
  const file = join(daemon.repository, "graph.yaml");
  writeFileSync(file, "nodez: {}\nname: 5\nnodes:\n  a:\n    run: 7\n  b:\n    run: echo\n    timeoutMs: -1\n");
  const { code, stderr } = await daemon.sylk(["dag", "run", "graph.yaml"]);
  expect(code).toBe(2);
  const lines = [...stderr.matchAll(/graph\.yaml:(\d+):\d+/g)].map(([, line]) => Number(line));
  expect(lines).toEqual([1, 2, 5, 8]);
});

it("schema, edges, shells, roles, folders, secrets and reserves of a graph's file are told together, and nothing starts", async () => {
  const file = join(daemon.repository, "graph.yaml");
  const graph = [
    "nodes:",
    "  piped:",
    "    run: a | b",
    "    timeoutMs: soon",
    "  asked:",
    "    prompt: Why?",
    "    role: wizzard",
    "    dependsOn: [nowhere]",
    "  outside:",
    "    run: [ls]",
    "    cwd: ../..",
    "    reserves: { paths: [/etc/passwd] }",
    "  empty: {}",
    "  secret:",
    "    run: [login, ghp_0123456789abcdefghijABCDEFGHIJ012345]",
    "policy: { maxConcurrency: 0 }",
  ];
  writeFileSync(file, graph.join("\n"));
  const before = await daemon.sylk(["dag", "list", "--json"]);
  for (const verb of ["check", "run"]) {
    const { code, stderr } = await daemon.sylk(["dag", verb, "graph.yaml"]);
    const lines = [...stderr.matchAll(/graph\.yaml:(\d+):\d+/g)].map(([, line]) => Number(line));
    expect([code, lines]).toEqual([2, [3, 4, 7, 8, 11, 12, 13, 15, 16]]);
    expect(stderr).toContain("needs a shell");
    expect(stderr).not.toContain("ghp_0123456789");
  }
  expect((await daemon.sylk(["dag", "list", "--json"])).stdout).toBe(before.stdout);
  writeFileSync(file, "nodes:\n  a: { run: [echo, hello] }\n");
  expect(await daemon.sylk(["dag", "check", "graph.yaml"])).toMatchObject({
    code: 0,
    stdout: "graph.yaml has no problems: 1 node\n",
  });
});

it("merge takes a branch as well as a run [CORE-29]", async () => {
  const identity = ["-c", "user.name=ada", "-c", "user.email=ada@localhost"];
  const git = (...words: string[]) =>
    execFileSync("git", [...identity, ...words], { cwd: daemon.repository, env: daemon.env, encoding: "utf8" });
  git("checkout", "-q", "-b", "heron/orders");
  writeFileSync(join(daemon.repository, "orders.txt"), "orders\n");
  git("add", "orders.txt");
  git("commit", "-q", "-m", "orders");
  git("checkout", "-q", "-");
  const { code, stdout, stderr } = await daemon.sylk(["merge", "heron/orders"], { env: { SYLK_AGENT: "heron" } });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("heron/orders into");
  expect(otter.agent.name).toBe("otter");
});

it("install --project is the scope and nothing else; the folder is -C [CORE-29]", async () => {
  await using home = openScratchHome();
  const other = home.addRepository("other");
  const plan = await home.sylk(["install", "claude-code", "--project", "--dry-run", "--json", "-C", other]);
  const { steps } = JSON.parse(plan.stdout) as { steps: { file: string }[] };
  expect(steps.map(({ file }) => file)).toContain(join(other, ".claude", "settings.json"));
});

describe("SYLK_HOME", () => {
  it("that is relative is the same folder for the command and its daemon", async () => {
    await using home = openScratchHome();
    const env = { SYLK_HOME: "rel/home" };
    const shown = await home.sylk(["who"], { env });
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    const status = await home.sylk(["status", "--json"], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true, home: join(home.repository, "rel/home") });
    expect((await home.sylk(["down"], { env })).code).toBe(0);
  });

  it("that cannot be made is said at once, by every command and by doctor", async () => {
    await using home = openScratchHome();
    writeFileSync(join(home.root, "file"), "");
    for (const place of ["/proc/nothing/home", join(home.root, "file", "home")])
      for (const word of ["who", "up", "status", "doctor"]) {
        const { code, stdout, stderr } = await home.sylk([word], { env: { SYLK_HOME: place } });
        expect(code, word).toBe(7);
        expect(stdout + stderr).toMatch(/cannot be (used|made)/);
        expect(stdout + stderr).toContain("set SYLK_HOME to another folder");
        expect(stdout + stderr, "that would be refused").not.toContain("sylk up");
      }
  });
});

it("overrides of commits that cannot be read are not taken for none: the daemon's log says so", async () => {
  await using spoilt = await openScratchDaemon();
  await spoilt.kill();
  writeFileSync(join(spoilt.paths.logs, "overrides"), "not a folder\n");
  await spoilt.restart();
  expect((await spoilt.sylk(["logs"])).stdout).toContain("overrides.unreadable");
});
