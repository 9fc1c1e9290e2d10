/** `sylk dag`: real commands under a real daemon, before one's eyes, through a kill -9, and as a file says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTimeOf } from "../../src/adapters/processes/index.ts";
import type { Dag, LogEvent } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

const read = (name: string): string => {
  const file = join(daemon.repository, name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};
const shown = async (id: Dag["id"]): Promise<Dag> => (await daemon.user.call("dag.show", { id })).dag;

describe("sylk dag run", () => {
  it("runs what a file says, tells each change as a line of JSON and the run itself last, with output and exit code [DAG-24]", async () => {
    writeTree(daemon.repository, {
      "checks.yaml": [
        "name: checks",
        "nodes:",
        "  build: { run: [sh, -c, 'echo built by $SYLK_DAG_NODE'] }",
        "  test: { run: 'false', dependsOn: [build] }",
        "  docs: { run: 'echo documented', dependsOn: [build], cwd: . }",
        "  ship: { run: 'echo never', dependsOn: [test, docs] }",
      ].join("\n"),
    });
    const { code, stdout } = await daemon.sylk(["dag", "run", "checks.yaml", "--keep-going", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as LogEvent | { dag: Dag });
    const { dag } = lines.at(-1) as { dag: Dag };
    expect([code, dag.status, dag.name]).toEqual([5, "failed", "checks"]);
    expect(dag.nodes.map(({ name, state, cause }) => [name, state, cause])).toEqual([
      ["build", "succeeded", undefined],
      ["test", "failed", undefined],
      ["docs", "succeeded", undefined],
      ["ship", "skipped", "failed:test"],
    ]);
    const types = lines.slice(0, -1).map((line) => (line as LogEvent).type);
    expect([types[0], new Set(types.slice(1))]).toEqual(["dag.started", new Set(["dag.changed"])]);
    const build = await daemon.sylk(["dag", "show", dag.id, "--node", "build"]);
    expect(build.stdout).toContain("built by build");
  });

  it("says every problem of a file with its line, and starts nothing [DAG-8, DAG-9]", async () => {
    const file = "nodes:\n  a: { run: 'ls | wc', dependsOn: [b] }\n  b: { run: 'true', dependsOn: [a, c] }\n";
    writeTree(daemon.repository, { "wrong.yaml": file, "broken.yaml": "nodes: { a: [", "odd.yaml": "node: {}\n" });
    const wrong = await daemon.sylk(["dag", "run", "wrong.yaml"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/wrong\.yaml:2:8: nodes\.a\.run: needs a shell; write \["sh", "-c", "ls \| wc"\]/);
    expect(wrong.stderr).toMatch(
      /wrong\.yaml:3:21: nodes\.b\.dependsOn: "b" depends on "c", which is not in the graph/,
    );
    expect(wrong.stderr).toMatch(/dependency cycle: a → b → a/);
    const mixed = `nodes:
  a: { run: 1, dependsOn: [b] }
  b: { run: 'true', dependsOn: [a, c] }
  d: { run: 'true', timeoutMs: soon, dependsOn: [d] }
odd: 1
`;
    writeTree(daemon.repository, {
      "mixed.yaml": mixed,
      "named.yaml": mixed.replace("odd: 1\n", ""),
      "more.yaml": "nodes:\n  x: { run: 'ls | wc', dependsOn: [z] }\n  y: { run: 'true', dependsOn: [y] }\n",
      "calm.yaml": "nodes:\n  held: { run: 'true', approve: true }\n",
    });
    const together = [
      /\.yaml:2:8: nodes\.a\.run: /,
      /\.yaml:2:16: nodes\.a\.dependsOn: dependency cycle: a → b → a/,
      /\.yaml:3:21: nodes\.b\.dependsOn: "b" depends on "c", which is not in the graph/,
      /\.yaml:4:21: nodes\.d\.timeoutMs: /,
      /\.yaml:4:38: nodes\.d\.dependsOn: "d" depends on itself/,
    ];
    for (const [name, problems] of [
      ["named.yaml", together],
      ["mixed.yaml", [...together, /\.yaml:5:1: Unknown key "odd"/]],
    ] as const) {
      const { stderr } = await daemon.sylk(["dag", "run", name]);
      for (const problem of problems) expect(stderr, name).toMatch(problem);
      expect(stderr.match(/^.*\.yaml:\d+/gm), "each once").toHaveLength(problems.length);
    }
    const calm = jsonOf<{ dag: Dag }>(await daemon.sylk(["dag", "run", "calm.yaml", "--detach", "--json"])).dag;
    const adjusted = await daemon.sylk(["dag", "adjust", calm.id, "more.yaml"]);
    for (const problem of [/nodes\.x\.run: needs a shell/, /"x" depends on "z"/, /"y" depends on itself/])
      expect(adjusted.stderr).toMatch(problem);
    await daemon.sylk(["dag", "cancel", calm.id]);
    expect((await daemon.sylk(["dag", "run", "broken.yaml"])).stderr).toMatch(/broken\.yaml:1:\d+: /);
    expect((await daemon.sylk(["dag", "run", "odd.yaml"])).stderr).toMatch(/odd\.yaml:1:1: Unknown key "node"/);
    expect((await daemon.sylk(["dag", "run", "none.yaml"])).stderr).toContain("there is no such file");
    const flag = await daemon.sylk(["dag", "run", "wrong.yaml", "--max-concurrency", "many"]);
    expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining("--max-concurrency must be a whole number")]);
    expect((await daemon.user.call("dag.list", {})).items.map(({ name }) => name)).not.toContain("wrong.yaml");
  });

  it("refuses a node whose role does not exist before anything runs, at the start and in a change [DAG-10]", async () => {
    const wrong = { first: { run: ["touch", "ran"] }, ask: { prompt: "Why?", role: "enginer", dependsOn: ["first"] } };
    writeTree(daemon.repository, {
      "scenario.yaml": JSON.stringify({ name: "none", turns: [] }),
      "role.yaml": JSON.stringify({ nodes: wrong }),
      "held.yaml": JSON.stringify({ nodes: { held: { run: ["touch", "ran"], approve: true } } }),
      "change.yaml": JSON.stringify({ nodes: { ask: wrong.ask, first: wrong.first } }),
    });
    const refusal = /nodes\.ask\.role: unknown role "enginer"; did you mean engineer\? \(known: guide, architect/;
    const before = (await daemon.user.call("dag.list", {})).items.length;
    const refused = await daemon.sylk(["dag", "run", "role.yaml", "--rehearse", "scenario.yaml"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(refusal)]);
    expect([read("ran"), (await daemon.user.call("dag.list", {})).items.length]).toEqual(["", before]);
    const waiting = await daemon.sylk(["dag", "run", "held.yaml"]);
    const [, id = ""] = /(dag_\w+)/.exec(waiting.stdout) ?? [];
    const change = await daemon.sylk(["dag", "adjust", id, "change.yaml"]);
    expect([change.code, change.stderr]).toEqual([2, expect.stringMatching(refusal)]);
    expect((await shown(id as Dag["id"])).nodes.map(({ name }) => name)).toEqual(["held"]);
    await daemon.sylk(["dag", "cancel", id]);
    expect(existsSync(join(daemon.repository, "ran"))).toBe(false);
  });

  it("gives a node the results of all its parents, and of no other node, be it a command or a prompt [DAG-13]", async () => {
    const all = ["Join them.", "north says 1", "east says 2", "The west says 3."];
    const turns = [
      { when: { mentions: ["What says the west?"] }, reply: [{ text: "The west says 3." }] },
      { when: { mentions: [...all] }, reply: [{ text: "All three." }] },
    ];
    const reading = [
      "const { parents } = JSON.parse(require('fs').readFileSync(process.env.SYLK_DAG_INPUT))",
      "console.log(JSON.stringify(Object.entries(parents).map(([name, { text }]) => [name, text.trim()]).sort()))",
    ].join(";");
    const dependsOn = ["north", "east", "west"];
    writeTree(daemon.repository, {
      "scenario.yaml": JSON.stringify({ name: "winds", turns }),
      "winds.yaml": JSON.stringify({
        nodes: {
          north: { run: ["echo", "north says 1"] },
          east: { run: ["echo", "east says 2"] },
          west: { prompt: "What says the west?" },
          south: { run: ["echo", "south says 4"] },
          read: { run: [process.execPath, "-e", reading], dependsOn },
          ask: { prompt: "Join them.", dependsOn },
        },
      }),
    });
    const { code, stdout } = await daemon.sylk(["dag", "run", "winds.yaml", "--rehearse", "scenario.yaml", "--json"]);
    const { dag } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as { dag: Dag };
    expect([code, dag.status]).toEqual([0, "succeeded"]);
    const outputOf = async (node: string) => (await daemon.user.call("dag.show", { id: dag.id, node })).dag;
    const output = (await outputOf("read")).nodes.find(({ name }) => name === "read")!.output!;
    expect(JSON.parse(output.trim())).toEqual([
      ["east", "east says 2"],
      ["north", "north says 1"],
      ["west", "The west says 3."],
    ]);
    expect((await outputOf("ask")).nodes.find(({ name }) => name === "ask")!.output).toContain("All three.");
  });

  it("continues by itself after kill -9 of the daemon: what ran is ended before it runs again, what was done is not [DAG-6]", async () => {
    await using own = await openScratchDaemon();
    const record = (word: string): string => `echo ${word} $SYLK_DAG_ATTEMPT $$ >> record`;
    writeTree(own.repository, {
      "long.yaml": JSON.stringify({
        nodes: {
          first: { run: ["sh", "-c", record("first")] },
          // It goes on only in its second life; the first one would wait for ever.
          second: {
            run: ["sh", "-c", `${record("second")}; test $SYLK_DAG_ATTEMPT = 2 || exec sleep 600`],
            dependsOn: ["first"],
          },
          third: { run: ["sh", "-c", record("third")], dependsOn: ["second"] },
        },
      }),
    });
    const started = await own.sylk(["dag", "run", "long.yaml", "--detach", "--json"]);
    const { dag } = JSON.parse(started.stdout) as { dag: Dag };
    const lines = (): string[] => {
      const file = join(own.repository, "record");
      return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    };
    await until("the second one runs", () => lines().some((line) => line.startsWith("second 1")));
    const left = Number(lines().at(-1)!.split(" ")[2]);
    await own.kill();
    expect(await startTimeOf(left), "it outlives its daemon").toBeDefined();
    await own.restart();
    const ended = await until("the run has ended", async () => {
      const now = (await own.user.call("dag.show", { id: dag.id })).dag;
      return now.status !== "running" && now;
    });
    expect([ended.status, lines().map((line) => line.split(" ").slice(0, 2).join(" "))]).toEqual([
      "succeeded",
      ["first 1", "second 1", "second 2", "third 1"],
    ]);
    expect(await startTimeOf(left), "it was ended").toBeUndefined();
  });

  it("asks a person first where a node wants it, and asks the model where a node is a prompt", async () => {
    const turns = [{ when: { mentions: ["What is it?", "a green door"] }, reply: [{ text: "It is a green door." }] }];
    writeTree(daemon.repository, {
      "scenario.yaml": JSON.stringify({ name: "door", turns }),
      "ask.yaml": [
        "nodes:",
        "  look: { run: 'echo a green door', approve: true }",
        "  ask: { prompt: 'What is it?', role: librarian, dependsOn: [look] }",
      ].join("\n"),
    });
    const waiting = await daemon.sylk(["dag", "run", "ask.yaml", "--rehearse", "scenario.yaml"]);
    expect([waiting.code, waiting.stdout]).toEqual([
      4,
      expect.stringContaining("look asks: Run look? echo a green door"),
    ]);
    const [, id = ""] = /sylk dag answer (dag_\w+) look approve/.exec(waiting.stdout) ?? [];
    expect((await daemon.sylk(["dag", "answer", id, "look", "approve"])).code).toBe(0);
    const watched = await daemon.sylk(["dag", "watch", id]);
    expect([watched.code, watched.stdout]).toEqual([0, expect.stringContaining("succeeded  2 succeeded")]);
    const dag = await daemon.sylk(["dag", "show", id, "--node", "ask"]);
    expect(dag.stdout).toContain("It is a green door.");
    expect(dag.stdout).toContain("[rehearsal]");
  });

  it("gives commands and prompts what their parents gave and the session's notes, and leaves no file behind [DAG-19, DAG-20, DAG-21]", async () => {
    const turns = [
      {
        when: { mentions: ["Summarise", '"port":8080', "out/report.html", "SHOP-7"] },
        reply: [{ text: "All is there." }],
      },
    ];
    const left = JSON.stringify({ context: { port: 8080 }, artifacts: { report: "out/report.html" } });
    const reading = [
      "const { session, parents: { build } } = JSON.parse(require('fs').readFileSync(process.env.SYLK_DAG_INPUT))",
      "console.log(build.text.trim(), build.context.port, build.artifacts.report, session.notes.ticket)",
    ].join(";");
    writeTree(daemon.repository, {
      "scenario.yaml": JSON.stringify({ name: "input", turns }),
      "input.yaml": JSON.stringify({
        nodes: {
          build: { run: ["sh", "-c", `echo built; echo '${left}' > "$SYLK_DAG_OUTPUT"`] },
          read: { run: [process.execPath, "-e", reading], dependsOn: ["build"] },
          ask: { prompt: "Summarise.", dependsOn: ["build"] },
          wrong: { run: ["sh", "-c", 'echo "{" > "$SYLK_DAG_OUTPUT"'] },
        },
      }),
    });
    const { session } = await daemon.user.call("session.create", { name: "Release" });
    await daemon.user.call("session.note", { id: session.id, name: "ticket", text: "SHOP-7" });
    const terms = ["--rehearse", "scenario.yaml", "--session", session.id, "--keep-going"];
    const { code, stdout } = await daemon.sylk(["dag", "run", "input.yaml", ...terms, "--json"]);
    const { dag } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as { dag: Dag };
    expect([code, dag.nodes.map(({ name, state }) => `${name} ${state}`)]).toEqual([
      5,
      ["build succeeded", "read succeeded", "ask succeeded", "wrong failed"],
    ]);
    const outputOf = async (node: string) => (await daemon.sylk(["dag", "show", dag.id, "--node", node])).stdout;
    expect(await outputOf("read")).toContain("built 8080 out/report.html SHOP-7");
    expect(await outputOf("ask")).toContain("All is there.");
    expect(dag.nodes.at(-1)?.error).toContain("its file $SYLK_DAG_OUTPUT is invalid: it is not JSON");
    expect(readdirSync(join(daemon.paths.home, "nodes"))).toEqual([]);
  });

  it("is left running by Ctrl-C, which says how to get back", async () => {
    writeTree(daemon.repository, { "slow.yaml": "nodes: { slow: { run: [sleep, '600'] } }\n" });
    const running = daemon.start(["dag", "run", "slow.yaml"]);
    await until("it runs", () => running.output().includes("▸ slow"));
    process.kill(running.pid, "SIGINT");
    const { code, stderr } = await running.ended;
    expect(stderr).toMatch(/(dag_\w+) keeps running; watch it: sylk dag watch \1/);
    const [, id = ""] = /(dag_\w+) keeps running/.exec(stderr) ?? [];
    expect([code, (await shown(id as Dag["id"])).status]).toEqual([130, "running"]);
    // At once with the first line, before it has heard of any event.
    const watching = daemon.start(["dag", "watch", id]);
    await until("it says that it runs", () => watching.output().includes("▸ slow"));
    process.kill(watching.pid, "SIGINT");
    expect(await watching.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("keeps running") });
    const cancelled = await daemon.sylk(["dag", "cancel", id]);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringMatching(/^cancelled.*1\/1/)]);
  });

  it("draws bar, tree and times again and again on a terminal", async (test) => {
    test.skip(!hasTerminal(), noTerminal);
    writeTree(daemon.repository, {
      "tree.yaml": "nodes: { a: { run: [sleep, '0.2'] }, b: { run: [echo], dependsOn: [a] } }\n",
    });
    const { code, stdout } = await startOnTerminal(daemon, ["dag", "run", "tree.yaml"]).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/running.*░ 0\/2/);
    expect(stdout).toMatch(/\u001b\[3A\u001b\[J/);
    expect(stdout).toMatch(/ {4}.*✔.* b/);
  });
});

it("no command of theirs sees a key or a token of the caller's", async () => {
  writeTree(daemon.repository, { "env.yaml": "nodes: { env: { run: [sh, -c, 'env > seen'] } }\n" });
  const secret = "hush-hush-0123456789";
  await daemon.sylk(["dag", "run", "env.yaml"], { env: { ACME_API_KEY: secret, SYLK_TOKEN: "" } });
  expect(read("seen")).toContain("SYLK_DAG_NODE=env");
  expect(read("seen")).not.toContain(secret);
});

describe("a node that waits for approval", () => {
  it("is among the approvals of runs, and `sylk approve` and `sylk dag answer` decide the same row [DAG-24]", async () => {
    const nodes = { deploy: { run: ["true"], approve: true }, drop: { run: ["true"], approve: true } };
    const { dag } = await daemon.user.call("dag.run", { project: { path: daemon.repository }, nodes });
    const approvals = async () => (await daemon.user.call("approval.list", { run: dag.id })).items;
    await until("both wait", async () => (await approvals()).filter(({ status }) => status === "waiting").length === 2);
    const listed = await daemon.sylk(["approvals"]);
    expect(listed.stdout).toContain("Run deploy? true");
    const deploy = (await approvals()).find(({ node }) => node === "deploy")!;
    const approved = await daemon.sylk(["approve", deploy.id]);
    expect([approved.code, approved.stdout.trim()]).toEqual([0, "node approved, for this node of this graph"]);
    expect((await daemon.sylk(["dag", "answer", dag.id, "drop", "reject"])).code).toBe(0);
    expect((await approvals()).map(({ node, status }) => [node, status])).toEqual(
      expect.arrayContaining([
        ["deploy", "approved"],
        ["drop", "rejected"],
      ]),
    );
    const again = await daemon.sylk(["approve", deploy.id]);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining("was approved already")]);
    await until("it ends", async () => (await shown(dag.id)).status === "failed");
  });
});
