/** The demo as a newcomer runs it: it ends well, touches nothing of theirs, and what it says to try next works. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Findings } from "../faults/every-way.ts";
import { processesUnder } from "./processes.ts";
import { jsonOf, startProcess } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";

describe("a plain demo", () => {
  it("ends with exit code 0 and tells what it saw, leaving no process, no folder and no change behind", async () => {
    await using home = openScratchHome();
    const { env, tmp } = ownTmp(home);
    const run = await home.sylk(["demo", "--json"], { env });
    expect(run.code, run.stderr).toBe(0);
    const facts = jsonOf<Facts>(run);
    expect(facts).toMatchObject({
      kept: false,
      collision: "reservation.conflict",
      asked: "release-request",
      told: ["otter"],
      denied: true,
      restored: true,
      committed: ["README.md"],
      clean: true,
      status: "verified",
      waited: true,
      graph: "succeeded",
      waitedFor: ["stoat", "approval"],
      answeredBy: "librarian",
      defined: [expect.stringMatching(/^src\/cart\.ts:\d+$/)],
      used: expect.arrayContaining([expect.stringMatching(/^test\/cart\.test\.ts:\d+$/)]),
      remembered: expect.any(String),
      kinds: ["supported", "unsupported"],
      winners: Array.from({ length: 10 }, () => expect.stringMatching(/^(heron|otter)$/)),
    });
    const { findings } = jsonOf<Findings>(await home.sylk(["doctor", "--json"], { env }));
    const works = findings.some(({ check, state }) => check === "sandbox" && state === "ok");
    expect(facts.sandboxed, "wherever doctor says that it works").toBe(works);
    expect(facts.parallel, "engineers at the same time").toBeGreaterThanOrEqual(2);
    expect(facts.attempts, "the killed node was done again").toBeGreaterThanOrEqual(2);
    expect(facts.events).toBeGreaterThan(50);
    expect(
      [facts.page, facts.secondUse, facts.foreignChange],
      "the page, a used link, a change of another page",
    ).toEqual([200, 401, 403]);
    expect([facts.backupIntact, facts.acts > 0], "a backup of it, and the acts that were approved").toEqual([
      true,
      true,
    ]);

    await until("no process is left", () => processesUnder(tmp).length === 0);
    expect(readdirSync(tmp)).toEqual([]);
    expect(readdirSync(env.HOME), "the user's home").toEqual([]);
    expect(existsSync(home.paths.home), "the user's SYLK_HOME").toBe(false);
  });
});

describe("demo --keep", () => {
  it("leaves a daemon up, also where no sandbox works, and each command it prints works when typed as it stands", async () => {
    await using home = openScratchHome();
    const { env: own, tmp } = ownTmp(home);
    const bin = join(home.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const env = { ...own, PATH: `${bin}:${home.env.PATH}` };
    const run = await home.sylk(["demo", "--keep"], { env });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toMatch(
      /no sandbox works here \(bubblewrap ended with 1\): its commands, all .* own, run without one/,
    );
    const [, told = "", steps = ""] = run.stdout.split(/What to try next\n|In your own repository\n/);
    const lines = linesOf(told);
    expect(lines.map((line) => line.replace(/.*main\.mjs /, "").split(" ")[0])).toEqual([
      "export",
      "who",
      "reservations",
      "reserve",
      "events",
      "dashboard",
      "down",
    ]);
    const kept = /^export SYLK_HOME=(.+)$/.exec(lines[0]!)![1]!;
    const [pid] = processesUnder(kept);
    expect(pid).toBeGreaterThan(0);

    // One shell, line by line, as a person would; `node` is the one that ran the demo.
    const script = lines.map((line) => `${line} || exit $?; echo ---`).join("\n");
    const PATH = `${dirname(process.execPath)}:${home.env.PATH}`;
    const typed = await startProcess("sh", ["-c", script], {
      env: { ...home.env, ...env, PATH },
      cwd: home.repository,
    }).ended;
    expect(typed.code, `${typed.stdout}${typed.stderr}`).toBe(0);
    const [, who, reservations, reserve, events, dashboard, down] = typed.stdout.split("---\n");
    for (const name of ["heron", "otter", "magpie"]) expect(who).toMatch(new RegExp(`^${name} `, "m"));
    expect(reservations).toMatch(/^src\/\*\* +otter/m);
    expect(reserve).toMatch(/^rsv_\w+ {2}exclusive {2}README\.md/);
    expect(events).toContain("reservation.acquired");
    expect(dashboard).toMatch(/\/signin\?code=/);
    expect(down).toBe(`The daemon (pid ${pid}) has stopped\n`);
    await until("no process is left", () => processesUnder(tmp).length === 0);
    expect(readdirSync(env.HOME)).toEqual([]);

    const [cd, install, ...runs] = linesOf(steps);
    expect([cd, runs.map((line) => /main\.mjs (\w+)/.exec(line)?.[1])]).toEqual([
      "cd <your repository>",
      ["provider", "run"],
    ]);
    const mine = await startProcess("sh", ["-c", install!.replace(" #", " --yes #")], {
      env: { ...home.env, PATH },
      cwd: home.repository,
    }).ended;
    expect(mine.stdout, mine.stderr).toContain("New claude-code sessions are guarded");
  });
});

function linesOf(text: string): readonly string[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim());
}

type Facts = {
  readonly kept: boolean;
  readonly collision: string;
  readonly winners: readonly string[];
  readonly status: string;
  readonly sandboxed: boolean;
  readonly parallel: number;
  readonly attempts: number;
  readonly waited: boolean;
  readonly events: number;
  readonly acts: number;
  readonly backupIntact: boolean;
  readonly page: number;
  readonly secondUse: number;
  readonly foreignChange: number;
};

/** A folder for temporary things of its own shows what stays behind. */
function ownTmp(home: ScratchHome): {
  readonly env: { readonly TMPDIR: string; readonly HOME: string };
  readonly tmp: string;
} {
  const tmp = join(home.root, "t");
  mkdirSync(tmp);
  return { env: { TMPDIR: tmp, HOME: join(home.root, "user") }, tmp };
}
