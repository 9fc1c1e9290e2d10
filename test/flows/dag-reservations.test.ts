/** Graphs among agents: their nodes reserve files as everybody does, wait without a worker, and go on by themselves. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noNamespaces } from "../../src/adapters/confinement/testkit.ts";
import type { Dag, DagNode, RawInputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron", { client: "claude-code" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Nodes = RawInputOf<"dag.run">["nodes"];
const start = async (nodes: Nodes, policy: RawInputOf<"dag.run">["policy"] = {}): Promise<Dag["id"]> =>
  (await daemon.user.call("dag.run", { nodes, policy, project: { path: daemon.repository } })).dag.id;
const shown = async (id: Dag["id"]): Promise<Dag> => (await daemon.user.call("dag.show", { id })).dag;
const nodeOf = async (id: Dag["id"], name: string): Promise<DagNode> =>
  (await shown(id)).nodes.find((node) => node.name === name)!;
const inState = (id: Dag["id"], name: string, state: DagNode["state"]): Promise<DagNode> =>
  until(`${name} is ${state}`, async () => {
    const node = await nodeOf(id, name);
    return node.state === state && node;
  });
const over = (id: Dag["id"]): Promise<Dag> =>
  until("the run has ended", async () => {
    const dag = await shown(id);
    return dag.status !== "running" && dag;
  });
const held = async (): Promise<readonly string[]> =>
  (await daemon.user.call("reservation.list", {})).items.flatMap(({ paths, patterns }) => [...paths, ...patterns]);
const reserve = async (path: string): Promise<() => Promise<unknown>> => {
  const { reservation } = await heron.client.call("reservation.acquire", { paths: [path], reason: "rate limiting" });
  return () => heron.client.call("reservation.release", { id: reservation.id });
};
const recorded = (name: string): string[] => {
  const file = join(daemon.repository, name);
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
};
const noting = (word: string, file: string): string[] => ["sh", "-c", `echo ${word} >> ${file}`];

describe("a node that reserves a file", () => {
  it("is blocked by its holder, without a worker, names the holder, and continues by itself when it is free [DAG-5]", async () => {
    const release = await reserve("src/orders.ts");
    const edits = (word: string): Nodes => ({
      edit: {
        run: ["sh", "-c", `echo ${word} in >> order; sleep 0.1; echo ${word} out >> order`],
        reserves: { patterns: ["src/*.ts"] },
      },
      after: { run: noting(word, "after"), dependsOn: ["edit"] },
      apart: { run: noting(word, "apart") },
    });
    const first = await start(edits("first"), { maxConcurrency: 1 });
    await inState(first, "edit", "blocked");
    const second = await start(edits("second"), { maxConcurrency: 1 });
    for (const id of [first, second]) {
      await inState(id, "apart", "succeeded");
      expect(await inState(id, "edit", "blocked")).toMatchObject({
        attempt: 0,
        blockedOn: "reservation",
        cause: '"src/orders.ts" is held by heron (claude-code): rate limiting',
      });
    }
    expect([(await shown(first)).status, (await shown(second)).status]).toEqual(["running", "running"]);
    expect((await daemon.user.call("session.stats", {})).pool).toMatchObject({ running: 0 });
    const looked = await daemon.sylk(["dag", "show", first]);
    expect(looked.stdout).toMatch(/‖ edit {2}"src\/orders.ts" is held by heron/);
    await release();
    expect([(await over(first)).status, (await over(second)).status]).toEqual(["succeeded", "succeeded"]);
    expect(recorded("order")).toEqual(["first in", "first out", "second in", "second out"]);
    expect(recorded("after")).toEqual(["first", "second"]);
    expect(await held()).toEqual([]);
  });

  it("keeps everybody else from it while it runs, acts as its holder, and gives it back when it fails", async () => {
    const script = "env | grep ^SYLK_ > seen-env; until test -e go; do sleep 0.05; done; exit 3";
    const id = await start({ edit: { run: ["sh", "-c", script], reserves: { paths: ["a.txt"], mode: "exclusive" } } });
    await until("it runs", () => recorded("seen-env").length > 3);
    const [hold] = (await daemon.user.call("reservation.list", { path: "a.txt" })).items;
    expect(hold).toMatchObject({
      holder: { client: "sylk", name: expect.stringMatching(/^node-edit-/) },
      reason: `edit of ${id}`,
    });
    expect(recorded("seen-env")).toEqual(
      expect.arrayContaining([`SYLK_AGENT=${hold!.holder.id}`, `SYLK_FENCING_TOKEN=${hold!.fencingToken}`]),
    );
    const refused = heron.client.call("reservation.acquire", { paths: ["a.txt"] });
    await expect(refused).rejects.toMatchObject({ code: "reservation.conflict" });
    writeTree(daemon.repository, { go: "" });
    expect((await over(id)).status).toBe("failed");
    expect(await held()).toEqual([]);
  });

  it("shares what both only read", async () => {
    const reads = { run: ["true"], reserves: { patterns: ["docs/**"], mode: "shared" as const } };
    await heron.client.call("reservation.acquire", { patterns: ["docs/**"], mode: "shared" });
    expect((await over(await start({ one: reads, two: reads }))).status).toBe("succeeded");
    await daemon.user.call("agent.end", { id: heron.agent.id });
    heron = await daemon.register("heron", { client: "claude-code" });
  });

  it("can be skipped, replaced, removed, cancelled and retried while it waits; no caller can answer for the holder", async () => {
    const release = await reserve("b.txt");
    const waits = (word: string) => ({ run: noting(word, "changed"), reserves: { paths: ["b.txt"] } });
    const id = await start({ skipped: waits("skipped"), replaced: waits("replaced"), removed: waits("removed") });
    for (const node of ["skipped", "replaced", "removed"]) await inState(id, node, "blocked");
    const answer = daemon.user.call("dag.answer", { id, node: "skipped", decision: "approve" });
    await expect(answer).rejects.toMatchObject({
      code: "dag.not-possible",
      message: expect.stringContaining("continues once the paths are free"),
    });
    await daemon.user.call("dag.skip", { id, node: "skipped" });
    const nodes = { replaced: { run: noting("another", "changed") } };
    await daemon.user.call("dag.adjust", { id, nodes, remove: ["removed"] });
    expect((await over(id)).nodes.map(({ name, state }) => [name, state])).toEqual([
      ["skipped", "skipped"],
      ["replaced", "succeeded"],
    ]);
    const ended = await start({ late: waits("late") });
    await inState(ended, "late", "blocked");
    expect((await daemon.user.call("dag.cancel", { id: ended })).dag.status).toBe("cancelled");
    await daemon.user.call("dag.retry", { id: ended, node: "late" });
    await inState(ended, "late", "blocked");
    await release();
    expect((await over(ended)).status).toBe("succeeded");
    expect([recorded("changed"), await held()]).toEqual([["another", "late"], []]);
  });

  it("neither waits nor holds anything while its run is paused", async () => {
    const release = await reserve("c.txt");
    const id = await start({ edit: { run: noting("edited", "paused"), reserves: { paths: ["c.txt"] } } });
    await inState(id, "edit", "blocked");
    await daemon.user.call("dag.pause", { id });
    await release();
    const again = await reserve("c.txt"); // nobody is before it in line
    expect([(await nodeOf(id, "edit")).state, (await shown(id)).status]).toEqual(["blocked", "paused"]);
    await again();
    await daemon.user.call("dag.resume", { id });
    expect([(await over(id)).status, recorded("paused")]).toEqual(["succeeded", ["edited"]]);
  });

  it("is asked about first, where a person has to approve it, and then waits", async () => {
    const release = await reserve("d.txt");
    const id = await start({
      edit: { run: noting("edited", "approved"), approve: true, reserves: { paths: ["d.txt"] } },
    });
    expect(await inState(id, "edit", "blocked")).toMatchObject({
      blockedOn: "approval",
      question: expect.stringMatching(/^Run edit\?/),
    });
    expect((await shown(id)).status).toBe("waiting");
    await daemon.user.call("dag.answer", { id, node: "edit", decision: "approve" });
    await until("it waits for the file", async () => (await nodeOf(id, "edit")).blockedOn === "reservation");
    await release();
    expect([(await over(id)).status, recorded("approved")]).toEqual(["succeeded", ["edited"]]);
  });

  it("continues after kill -9 of the daemon, while it held the file and while it waited for it", async () => {
    const script = `echo first $SYLK_DAG_ATTEMPT >> killed; test $SYLK_DAG_ATTEMPT = 2 || exec sleep 600`;
    const holding = await start({ edit: { run: ["sh", "-c", script], reserves: { paths: ["e.txt"] } } });
    await until("it holds and runs", () => recorded("killed").length === 1);
    const waiting = await start({ edit: { run: noting("second", "killed"), reserves: { paths: ["e.txt"] } } });
    await inState(waiting, "edit", "blocked");
    await daemon.kill();
    await daemon.restart();
    expect([(await over(holding)).status, (await over(waiting)).status]).toEqual(["succeeded", "succeeded"]);
    expect([recorded("killed"), await held()]).toEqual([["first 1", "first 2", "second"], []]);
  });
});

it("says what is wrong with what a node reserves, and which command holds a secret, each with its line", async () => {
  const file = [
    "nodes:",
    "  a: { run: ls, reserves: { paths: [../elsewhere, /etc/passwd] } }",
    "  b:",
    "    run: curl --api-key q1w2e3r4t5 example.org",
    "    reserves: { patterns: ['src/[a'] }",
    "  c: { run: 'true', dependsOn: [d] }",
  ].join("\n");
  writeTree(daemon.repository, { "wrong.yaml": file });
  const release = await reserve("f.txt");
  const id = await start({ a: { run: ["true"], reserves: { paths: ["f.txt"] } } });
  const adjusted = await daemon.sylk(["dag", "adjust", id, "wrong.yaml"]);
  expect([adjusted.code, adjusted.stderr]).toEqual([2, expect.stringContaining("wrong.yaml:2:37: nodes.a.reserves")]);
  await release();
  const { code, stderr } = await daemon.sylk(["dag", "run", "wrong.yaml"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/wrong\.yaml:2:37: nodes\.a\.reserves\.paths\.0: /);
  expect(stderr).toMatch(/wrong\.yaml:2:51: nodes\.a\.reserves\.paths\.1: /);
  expect(stderr).toMatch(/wrong\.yaml:4:5: nodes\.b\.run: contains what looks like a secret.*read it from a file/);
  expect(stderr).toMatch(/wrong\.yaml:5:\d+: nodes\.b\.reserves\.patterns\.0: /);
  expect(stderr).toMatch(/wrong\.yaml:6:\d+: nodes\.c\.dependsOn: /);
});

describe("a command that an agent wrote", () => {
  beforeEach(({ skip }) => skip(noNamespaces !== "", noNamespaces));
  const startAs = async ({ client }: ScratchAgent, nodes: Nodes): Promise<Dag["id"]> =>
    (await client.call("dag.run", { nodes, project: { path: daemon.repository } })).dag.id;

  it("cannot change a file that another agent holds, and its node names the holder [GIT-21]", async () => {
    writeTree(daemon.repository, { "src/held.ts": "kept\n", "src/free.ts": "free\n" });
    const otter = await daemon.register("otter");
    const release = await reserve("src/held.ts");
    const attack = { run: ["sh", "-c", "echo mine > src/free.ts; echo lost > src/held.ts"] };
    const written = await startAs(otter, { attack });
    expect((await over(written)).status).toBe("failed");
    const { error } = await nodeOf(written, "attack");
    expect(error).toContain('"src/held.ts" is held by heron');
    expect([recorded("src/held.ts"), recorded("src/free.ts")]).toEqual([["kept"], ["mine"]]);

    // The same in a graph of the user's to which the agent adds its node.
    const usual = await start({ wait: { run: "true", approve: true } });
    await otter.client.call("dag.adjust", { id: usual, nodes: { attack: { ...attack, dependsOn: [] } } });
    await inState(usual, "attack", "failed");
    expect(recorded("src/held.ts")).toEqual(["kept"]);

    // A check that the agent asks for is under the same holds.
    writeTree(daemon.repository, { "package.json": '{ "scripts": { "lint": "echo lost > src/held.ts" } }' });
    execFileSync("git", ["add", "package.json"], { cwd: daemon.repository });
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "lint"], {
      cwd: daemon.repository,
    });
    await otter.client.call("ask.send", { input: "/lint", project: { path: daemon.repository } });
    expect(recorded("src/held.ts")).toEqual(["kept"]);

    await release();
    expect((await over(await startAs(otter, { attack }))).status).toBe("succeeded");
    expect(recorded("src/held.ts")).toEqual(["lost"]);
  });

  it("is the user's own where the user wrote it, and a node that reserves a file may write it [GIT-21]", async () => {
    writeTree(daemon.repository, { "src/mine.ts": "kept\n" });
    const otter = await daemon.register("otter");
    const edit = { run: noting("node", "src/mine.ts"), reserves: { paths: ["src/mine.ts"] } };
    expect((await over(await startAs(otter, { edit }))).status).toBe("succeeded");
    const release = await reserve("src/mine.ts");
    expect((await over(await start({ write: { run: noting("user", "src/mine.ts") } }))).status).toBe("succeeded");
    expect(recorded("src/mine.ts")).toEqual(["kept", "node", "user"]);
    await release();
  });
});
