import { mkdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createPool } from "../../platform/pool/index.ts";
import { ModelFailure } from "../models/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import { graphsOfSessions } from "./graphs-of-sessions.ts";
import { type Carried, playedCommands, type ScratchDags, scratchDags } from "./testkit.ts";

/** Hides secrets in text and in values, as the redactor does. */
const hushed = <T>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll("hush-hush", "[redacted]")) as T);

async function endSession(at: ScratchDags, host: GraphHost, session: SessionId): Promise<void> {
  const work = graphsOfSessions({ host });
  await work.stopped(await at.store.transact("end", (tx) => work.end(session, tx, undefined)));
}

describe("a DAG run", () => {
  it("carries out its nodes in order, each with its own environment, and ends succeeded [DAG-12]", async () => {
    using at = scratchDags();
    const carried: Carried[] = [];
    const dag = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"], env: { MODE: "quick" } } });
    const host = at.host(
      playedCommands(async (one) => {
        carried.push(one);
        return { output: `${one.node} done` };
      }),
    );
    await host.launch(dag.id);
    await host.over(dag.id);
    expect(carried.map(({ request: { argv, env } }) => [argv, env])).toEqual([
      [["a"], { SYLK_DAG_RUN: dag.id, SYLK_DAG_NODE: "a", SYLK_DAG_ATTEMPT: "1" }],
      [["b"], { MODE: "quick", SYLK_DAG_RUN: dag.id, SYLK_DAG_NODE: "b", SYLK_DAG_ATTEMPT: "1" }],
    ]);
    expect([await at.statusOf(dag.id), await at.statesOf(dag.id)]).toEqual([
      "succeeded",
      { a: "succeeded", b: "succeeded" },
    ]);
    expect(await at.store.reader.dags.outputOf(dag.id, "b")).toBe("b done");
    expect(await at.store.reader.processes.list()).toEqual([]);
  });

  it("records every transition once, a batch in one event [DAG-7]", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] }, b: { run: ["b"] }, c: { run: ["c"], dependsOn: ["a", "b"] } });
    const host = at.host();
    await host.launch(dag.id);
    await host.over(dag.id);
    const events = (await at.events()).filter(({ type }) => type === "dag.changed");
    type Told = { readonly node: string; readonly from: string; readonly to: string };
    const told = events.flatMap(({ data }) => data.transitions as readonly Told[]);
    const moves = ["pending>queued", "queued>running", "running>succeeded"];
    for (const node of ["a", "b", "c"])
      expect(told.filter((one) => one.node === node).map(({ from, to }) => `${from}>${to}`)).toEqual(moves);
    expect(events.length).toBeLessThan(told.length);
    expect(events.at(-1)?.data.status).toBe("succeeded");
  });

  it("continues where a host that is gone left it: what succeeded stays, what ran is ended and runs again [DAG-6]", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } });
    const stuck = Promise.withResolvers<void>();
    const first = at.host(
      playedCommands(async ({ node }) => {
        if (node === "b") stuck.resolve();
        return node === "b" ? new Promise(() => {}) : {};
      }),
    );
    await first.launch(dag.id);
    await stuck.promise;
    const [left] = await at.store.reader.processes.list();
    const seen: string[] = [];
    const commands = playedCommands(async ({ node, attempt }) => {
      seen.push(`${node} ${attempt}`);
      return {};
    });
    const second = at.host(commands);
    await at.endLeftovers(commands);
    expect(commands.ended).toEqual([left?.pid]);
    await second.resumeAll({ autoResume: true });
    await second.over(dag.id);
    expect([seen, await at.statusOf(dag.id)]).toEqual([["b 2"], "succeeded"]);
  });

  it("knows after a restart how long it will still take, by what its nodes took before", async () => {
    const clock = manualClock();
    using at = scratchDags(clock);
    const dag = await at.add(
      { a: { run: ["a"] }, b: { run: ["b"] }, c: { run: ["c"], dependsOn: ["a", "b"] } },
      { maxConcurrency: 1 },
    );
    let stuck = 0;
    const commands = playedCommands(async ({ node }) => {
      if (node === "c" && ++stuck > 0) return new Promise(() => {});
      clock.advance(node === "a" ? 100 : 300);
      return {};
    });
    const first = at.host(commands);
    await first.launch(dag.id);
    await until(() => stuck === 1);
    expect((await first.factsOf(dag.id)).etaMs).toBe(200);
    const second = at.host(commands);
    await at.endLeftovers(commands);
    await second.resumeAll({ autoResume: true });
    await until(() => stuck === 2);
    expect((await second.factsOf(dag.id)).etaMs).toBe(200);
  });

  it("waits paused after a restart when it is not to go on by itself", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] } });
    await at.host().resumeAll({ autoResume: false });
    expect([await at.statusOf(dag.id), await at.statesOf(dag.id)]).toEqual(["paused", {}]);
  });

  it("does not count the wait for a place as run time", async () => {
    const clock = manualClock();
    using at = scratchDags(clock);
    const dag = await at.add({ a: { run: ["a"], timeoutMs: 1_000 } });
    const pool = createPool({ clock, limits: { all: 1, perGroup: 1 } });
    const holder = Promise.withResolvers<void>();
    void pool.submit({ group: "other", kind: "other", lane: "normal", run: () => holder.promise });
    const carried: Carried[] = [];
    const commands = playedCommands(async (one) => {
      carried.push(one);
      return {};
    });
    const host = at.host(commands, { pool });
    await host.launch(dag.id);
    await until(() => pool.metrics().waiting === 1);
    clock.advance(3_600_000);
    const row = async () => (await at.store.reader.dags.nodesOf(dag.id))[0];
    expect([(await row())?.startedAt, carried.length]).toEqual([undefined, 0]);
    holder.resolve();
    await host.over(dag.id);
    const { startedAt, endedAt } = (await row())!;
    expect([carried[0]?.request.timeoutMs, endedAt! - startedAt!]).toEqual([1_000, 0]);
  });

  it("keeps the end of what a node said, without secrets, and shows the last line of a failure", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"], retry: { max: 0 } } });
    const output = `${"x".repeat(100_000)}\nthe key is hush-hush\n`;
    const host = at.host(
      playedCommands(async () => ({ exitCode: 3, output })),
      { clean: hushed },
    );
    await host.launch(dag.id);
    await host.over(dag.id);
    const kept = await at.store.reader.dags.outputOf(dag.id, "a");
    expect([kept?.length, kept?.endsWith("the key is [redacted]\n")]).toEqual([65_536, true]);
    const [row] = await at.store.reader.dags.nodesOf(dag.id);
    expect(row?.record.error).toEqual({ class: "transient", message: "exit code 3: the key is [redacted]" });
  });

  it("runs nothing in a folder that leads out of the repository", async () => {
    using at = scratchDags();
    const dag = await at.add(
      { away: { run: ["a"], cwd: "link" }, gone: { run: ["a"], cwd: "gone" } },
      { failFast: false },
    );
    symlinkSync(tmpdir(), join(dag.options.tree, "link"));
    mkdirSync(join(dag.options.tree, "here"));
    const host = at.host();
    await host.launch(dag.id);
    await host.over(dag.id);
    expect(await at.statesOf(dag.id)).toEqual({ away: "failed", gone: "failed" });
    const [away] = await at.store.reader.dags.nodesOf(dag.id);
    expect(away?.record.error?.message).toBe('it cannot run in "link": the folder is outside the repository');
  });

  it("gives a prompt what its parents said, fenced, and tries again as the model's failure allows [DAG-17]", async () => {
    using at = scratchDags();
    const dag = await at.add({
      read: { run: ["cat"] },
      ask: { prompt: "What is it?", role: "librarian", dependsOn: ["read"], retry: { max: 1, backoffMs: 0 } },
    });
    const asked: string[] = [];
    const host = at.host(
      playedCommands(async () => ({ output: "A door." })),
      {
        prompts: {
          async answer({ prompt, role }) {
            asked.push(`${role}: ${prompt}`);
            if (asked.length === 1) throw new ModelFailure("rate-limit", "Too many", { retryAfterMs: 1 });
            return { text: "It is a door.", model: "acme/one", label: "rehearsal", usage: undefined };
          },
        },
      },
    );
    await host.launch(dag.id);
    await host.over(dag.id);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(
      /^librarian: What is it\?\n\n# What came before\n\n## read\n\n\[sylk-\w+ untrusted .*\nA door\.\n/,
    );
    const rows = await at.store.reader.dags.nodesOf(dag.id);
    expect(rows.find(({ node }) => node === "ask")?.record).toMatchObject({
      state: "succeeded",
      attempt: 2,
      result: { text: "It is a door.", model: "acme/one", label: "rehearsal" },
    });
  });

  it("ends with its session, and nothing of it runs any more", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } });
    const begun = Promise.withResolvers<void>();
    const host = at.host(
      playedCommands(({ request: { signal } }) => {
        begun.resolve();
        const { promise, resolve } = Promise.withResolvers<{ end: "aborted" }>();
        signal?.addEventListener("abort", () => resolve({ end: "aborted" }));
        return promise;
      }),
    );
    await host.launch(dag.id);
    await begun.promise;
    await endSession(at, host, dag.session);
    expect([await at.statusOf(dag.id), await at.statesOf(dag.id)]).toEqual([
      "cancelled",
      { a: "cancelled", b: "cancelled" },
    ]);
    expect([host.live(dag.id), await at.store.reader.processes.list()]).toEqual([undefined, []]);
  });

  it("continues once the store can be written again", async () => {
    const clock = manualClock();
    using at = scratchDags(clock);
    const dag = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } });
    let left = 3; // its fourth change is the result of the first node
    const told: string[] = [];
    const store: typeof at.store = {
      ...at.store,
      transact: (scope, work) =>
        scope === dag.id && left-- === 0
          ? Promise.reject(new Error("the disk is full"))
          : at.store.transact(scope, work),
    };
    const log = { error: (event: string) => (told.push(event), "") };
    const host = at.host(playedCommands(), { store, log });
    await host.launch(dag.id);
    await host.over(dag.id);
    expect([told, await at.statusOf(dag.id)]).toEqual([["dag.broke-off"], "running"]);
    clock.advance(5_000);
    await until(() => host.live(dag.id) !== undefined);
    await host.over(dag.id);
    expect([await at.statusOf(dag.id), await at.statesOf(dag.id)]).toEqual([
      "succeeded",
      { a: "succeeded", b: "succeeded" },
    ]);
    expect(await at.store.reader.processes.list()).toEqual([]);
  });

  it("that is paused ends with its session too", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] } });
    await at.host().resumeAll({ autoResume: false });
    await endSession(at, at.host(), dag.session);
    const { status, reason } = (await at.store.reader.dags.find(dag.id))!;
    expect([status, reason]).toEqual(["cancelled", "its session was closed"]);
  });

  it("that closes with its daemon is under way again with the next one", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] } });
    const begun = Promise.withResolvers<void>();
    const host = at.host(
      playedCommands(({ request: { signal } }) => {
        begun.resolve();
        const { promise, resolve } = Promise.withResolvers<{ end: "aborted" }>();
        signal?.addEventListener("abort", () => resolve({ end: "aborted" }));
        return promise;
      }),
    );
    await host.launch(dag.id);
    await begun.promise;
    await host.close();
    expect([await at.statusOf(dag.id), await at.statesOf(dag.id)]).toEqual(["running", { a: "queued" }]);
    const next = at.host();
    await next.resumeAll({ autoResume: true });
    await next.over(dag.id);
    expect(await at.statusOf(dag.id)).toBe("succeeded");
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
