/** Every command of the table, called as a person or a script would. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseArguments } from "../../src/surfaces/cli/parse-arguments.ts";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { jsonRuns, notRunHere, type Situation } from "./json-runs.ts";
import { jsonOf, mainScript, type SylkRun } from "./run-sylk.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree } from "./scratch-home.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

const escape = "\u001b";
let situation: Situation;

beforeAll(async () => {
  const daemon = await openScratchDaemon({ commands: "as processes" });
  situation = { daemon, heron: await daemon.register("heron") };
});
afterAll(() => situation.daemon[Symbol.asyncDispose]());

describe.concurrent("help", () => {
  it.each(commandTable)(
    "of $words shows an example and --json, and says the same as the table [CORE-25]",
    async (row) => {
      const command = await row.load();
      expect({ words: command.words, summary: command.summary }).toEqual({ words: row.words, summary: row.summary });
      const parsed = parseArguments(command, ["--help"]);
      const help = "help" in parsed ? parsed.help : "";
      expect(help).toContain(`Usage: sylk ${row.words}`);
      expect(help).toMatch(/Example:\n {2}\S.*/);
      expect(help).toMatch(/--json +print the result as JSON/);
      expect(help.replaceAll(/\s+/g, " ")).toContain(command.summary.replaceAll(/\s+/g, " "));
    },
  );

  it.each(["work add", "config show", "run", "events", "down"])(
    "of %s is what the process prints [CORE-25]",
    async (words) => {
      const ofUsualWidth = { env: { COLUMNS: "" } };
      const { code, stdout, stderr } = await situation.daemon.sylk([...words.split(" "), "--help"], ofUsualWidth);
      const row = commandTable.find((one) => one.words === words)!;
      const parsed = parseArguments(await row.load(), ["--help"]);
      expect([code, stdout.trimEnd(), stderr]).toEqual([0, "help" in parsed ? parsed.help.trimEnd() : "", ""]);
    },
  );

  it.each(commandTable)("of $words has an example that can be parsed [CORE-25]", async (row) => {
    const command = await row.load();
    const typed = wordsOf(command.example);
    const start = typed.lastIndexOf("sylk") + 1;
    expect(typed.slice(start, start + row.words.split(" ").length).join(" ")).toBe(row.words);
    const rest = typed
      .slice(start + row.words.split(" ").length)
      .filter((_, index, all) => !all.slice(0, index + 1).includes(">"));
    expect(parseArguments(command, rest)).toHaveProperty("flags");
  });

  it("shows one command's by `help`", async () => {
    const one = await situation.daemon.sylk(["help", "work", "add"]);
    expect(one.stdout).toBe((await situation.daemon.sylk(["work", "add", "--help"])).stdout);
  });
});

describe.concurrent("--json", () => {
  it("is tried for every command", () => {
    expect([...Object.keys(jsonRuns), ...notRunHere].sort()).toEqual(commandTable.map(({ words }) => words).sort());
  });

  it.each(Object.entries(jsonRuns))("of %s is JSON and nothing else [CORE-25]", async (_words, run) => {
    const { code, stdout, stderr, form } = await run(situation);
    expect(stderr).toBe("");
    expect(code, stdout).toBe(0);
    const values = form === "lines" ? stdout.trim().split("\n") : [stdout];
    for (const value of values) expect(typeof JSON.parse(value)).toBe("object");
    expect(stdout).not.toContain(escape);
  });

  it("is given for errors too, on standard output, with the family's exit code [CORE-8, CORE-25]", async () => {
    const runs: [readonly string[], string, number][] = [
      [["nope"], "input.invalid", 2],
      [["who", "--nope"], "input.invalid", 2],
      [["agent", "show", "agt_01jd8q3m7k4x9t2v5b8n1c"], "agent.not-found", 3],
      [["work", "show", "nope"], "input.invalid", 2],
    ];
    for (const [words, code, exitCode] of runs) {
      const run = await situation.daemon.sylk([...words, "--json"]);
      expect([run.code, run.stderr]).toEqual([exitCode, ""]);
      expect(jsonOf(run)).toMatchObject({ error: { code, message: expect.any(String), details: expect.any(Object) } });
    }
  });
});

describe("colour", () => {
  const looks = [
    ["who"],
    ["status"],
    ["doctor"],
    ["work", "list"],
    ["events"],
    ["logs"],
    ["config", "show"],
    ["--help"],
    ["nope"],
  ];

  it("is not used off a terminal [CORE-25]", async () => {
    for (const words of looks) {
      const { stdout, stderr } = await situation.daemon.sylk(words);
      expect(stdout + stderr, words.join(" ")).not.toContain(escape);
      expect((stdout + stderr).length).toBeGreaterThan(10);
    }
  });

  it("is used on a terminal, and not there either with NO_COLOR", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    for (const words of [["doctor"], ["who"], ["nope"]]) {
      const coloured = await startOnTerminal(situation.daemon, words).ended;
      const plain = await startOnTerminal(situation.daemon, words, { NO_COLOR: "1" }).ended;
      expect(coloured.stdout, words.join(" ")).toContain(`${escape}[`);
      expect(plain.stdout, words.join(" ")).not.toContain(escape);
    }
  });
});

describe("progress", () => {
  it("is shown on a terminal for what takes longer than a second, and nowhere else", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    await using first = await openScratchDaemon({ commands: "as processes" });
    await using second = await openScratchDaemon({ commands: "as processes" });
    // A stopped process answers nobody: `down` has to wait for it.
    for (const { pid } of [first, second]) process.kill(pid, "SIGSTOP");
    const shown = startOnTerminal(first, ["down"]);
    const piped = second.start(["down"]);
    await until("progress is shown", () => shown.output().includes("stopping the daemon 1 s"));
    for (const { pid } of [first, second]) process.kill(pid, "SIGCONT");
    const [onTerminal, offTerminal] = [await shown.ended, await piped.ended];
    expect(onTerminal.code).toBe(0);
    expect(onTerminal.stdout, "and wiped out afterwards").toMatch(/\r\u001b\[KThe daemon \(pid \d+\) has stopped/);
    expect(offTerminal).toMatchObject({ code: 0, stderr: "", stdout: `The daemon (pid ${second.pid}) has stopped\n` });
  });
});

describe.concurrent("what was probably meant", () => {
  it.each([
    [["wrok", "list"], 'did you mean "sylk work list"?'],
    [["clam"], 'did you mean "sylk claim"?'],
    [["frobnicate"], '"sylk help --all" lists the commands'],
    [["who", "--jsn"], "did you mean --json?"],
    [["work", "add"], "<title> is missing"],
    [["work", "list", "--status", "bogus"], "--status bogus: must be one of open, in_progress, blocked, closed."],
    [["claim", "a", "b"], '"b" is one word too many'],
    [["logs", "--lines", "many"], "--lines must be a whole number"],
    [["help", "wrok"], "There is no command"],
    [["session", "swich"], 'There is no command "session swich"; did you mean "sylk session switch"?'],
    [["session", "enchant"], '"sylk session" lists the commands'],
  ])("%j is refused with exit code 2 and a way on [CORE-25]", async (words, hint) => {
    const { code, stdout, stderr } = await situation.daemon.sylk(words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([[["work"]], [["work", "--help"]], [["help", "work"]]])("a group lists its commands: %j", async (typed) => {
    const { code, stdout } = await situation.daemon.sylk(typed);
    expect(code).toBe(0);
    for (const words of ["work add", "work list", "work show"]) expect(stdout).toContain(`sylk ${words}`);
  });
});

it("leaves quietly when its reader stops early", async () => {
  const { daemon, heron } = situation;
  for (let turn = 0; turn < 5; turn++)
    await heron.client.call("work-item.create", { title: `long ${turn}`, body: "x".repeat(90_000) });
  const line = `"${process.execPath}" "${mainScript}" events --json | head -n 1`;
  const { stdout, stderr } = spawnSync("sh", ["-c", line], {
    env: daemon.env,
    cwd: daemon.repository,
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual(["{\n", ""]);
});

describe.concurrent("completion", () => {
  const cases: [readonly string[], readonly string[]][] = [
    [["wo"], ["work", "worktree"]],
    [
      ["work", ""],
      ["add", "export", "import", "list", "notices", "progress", "show", "stuck", "update"],
    ],
    [["agent", "re"], ["register"]],
    [["reserve", "--sh"], ["--shared"]],
    [["work", "list", "--status", "in"], ["in_progress"]],
    [["work", "list", "--s"], ["--status"]],
  ];

  it("in bash completes commands, flags and values, and file names where none of these fits", async ({ skip }) => {
    skip(!exists("bash"), "needs bash");
    await using home = openScratchHome();
    writeTree(home.root, { "bin/sylk": `#!/bin/sh\nexec "${process.execPath}" "${mainScript}" "$@"\n` });
    chmodSync(`${home.root}/bin/sylk`, 0o755);
    const env = { ...home.env, PATH: `${home.root}/bin:${home.env.PATH}` };
    const complete = (typed: readonly string[]): readonly string[] => {
      const words = ["sylk", ...typed].map((word) => `'${word}'`).join(" ");
      const script = `source <(sylk completion bash); COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _sylk; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const run = spawnSync("bash", ["--norc", "-c", script], { env, cwd: home.repository, encoding: "utf8" });
      expect(run.stderr).toBe("");
      return run.stdout.trimEnd().split("\n");
    };
    for (const [typed, candidates] of cases) expect(complete(typed), typed.join(" ")).toEqual(candidates);
    expect(complete(["reserve", "READ"])).toEqual(["README.md"]);
    const registered = spawnSync("bash", ["--norc", "-c", "source <(sylk completion bash); complete -p sylk"], {
      env,
      encoding: "utf8",
    });
    expect(registered.stdout).toContain("_sylk");
  });

  it.each([
    ["zsh", ["-n"]],
    ["fish", ["--no-execute"]],
  ] as const)("the script for %s is one that it can read [CORE-25]", async (shell, options) => {
    const { stdout } = await situation.daemon.sylk(["completion", shell]);
    expect(stdout).toContain("sylk __complete --");
    if (!exists(shell)) return;
    await using home = openScratchHome();
    writeTree(home.root, { script: stdout }); // fish reads no script from a socket
    const read = spawnSync(shell, [...options, `${home.root}/script`], { encoding: "utf8" });
    expect(read).toMatchObject({ status: 0, stderr: "" });
  });

  it.each(cases)("%j gets %j from the command all shells ask [CORE-25]", async (typed, candidates) => {
    const { code, stdout } = await situation.daemon.sylk(["__complete", "--", ...typed]);
    expect([code, stdout.trimEnd().split("\n")]).toEqual([0, candidates]);
  });
});

describe("hostile text", () => {
  const conceal = `${escape}[8m`;
  const hostile = `Tidy${conceal}${escape}]0;owned\u0007${escape}[2J\u009b31m\u202e\r\nThe daemon has stopped`;

  it("does not reach the terminal raw, in a table, a sentence, an error or an event [CORE-25]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    const { workItem } = await otter.client.call("work-item.create", { title: hostile, body: `one\n${hostile}` });
    await otter.client.call("work-item.claim", { id: workItem.id });
    await otter.client.call("reservation.acquire", { paths: ["a.ts"], reason: hostile });
    const env = { SYLK_TOKEN: heron.token };
    const commands = [
      ["work", "list"],
      ["work", "show", workItem.id],
      ["reservations"],
      ["events"],
      ["claim", workItem.id],
      ["close", workItem.id],
      ["work", "list", "--json"],
      ["claim", workItem.id, "--json"],
    ];
    for (const words of commands) {
      const { stdout, stderr } = await daemon.sylk(words, { env });
      expect(stdout + stderr, words.join(" ")).toContain("Tidy");
      expect(controlsIn({ stdout, stderr }), words.join(" ")).toEqual([]);
      if (words[1] !== "show") expect(stdout + stderr, words.join(" ")).not.toMatch(/^The daemon has stopped/m);
    }
    const json = jsonOf<{ items: { title: string }[] }>(await daemon.sylk(["work", "list", "--json"], { env }));
    expect(json.items[0]!.title, "programs get what was written").toBe(hostile);
  });

  it("does not reach a real terminal either, where our own colours do", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    const otter = await daemon.register("otter");
    const { workItem } = await otter.client.call("work-item.create", { title: hostile });
    for (const words of [["work", "list"], ["events"], ["unclaim", workItem.id]]) {
      const { stdout } = await startOnTerminal(daemon, words).ended;
      expect(stdout).toContain("Tidy");
      expect(stdout).not.toContain(conceal);
      expect(stdout).not.toContain(`${escape}]0;`);
      expect(stdout).not.toContain(`${escape}[2J`);
    }
  });

  function controlsIn({ stdout, stderr }: Pick<SylkRun, "stdout" | "stderr">): readonly string[] {
    const found = (stdout + stderr).match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g) ?? [];
    return found.map((character) => character.charCodeAt(0).toString(16));
  }
});

function exists(shell: string): boolean {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** As a shell would split them. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare!);
}
