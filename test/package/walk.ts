/**
 * A stranger who follows the README: a home, a repository, a terminal of 80 columns, two sessions of a client that are played
 * by its hooks, and a model that is a scripted server over HTTP.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import type { WalkStep } from "../docs/read-walk.ts";
import { screenOf, textOf } from "../docs/screen.ts";
import { difference, type StandIns, withRealIds } from "../docs/stand-ins.ts";
import { recordingFolder, steadyOutput } from "../docs/steady-output.ts";
import { openTerminalShell } from "../docs/terminal-shell.ts";
import { hookClient, type HookRun } from "../flows/hook-client.ts";
import { killAndWait, processesUnder } from "../flows/processes.ts";
import { strangersEnvironment } from "./copied-repository.ts";
import { makeProject, type StrangersProject, turnsOf } from "./strangers-projects.ts";

const columns = 80;

export type Walk = AsyncDisposable & {
  readonly repository: string;
  readonly standIns: StandIns;
  /** Takes all steps; fails at the first that does not do what the page says. */
  follow(steps: readonly WalkStep[]): Promise<void>;
  /** All that the terminal shows. */
  transcript(): string;
};

export async function beginWalk(project: StrangersProject): Promise<Walk> {
  const home = mkdtempSync(join(recordingFolder, "sy-"));
  const repository = makeProject(home, project);
  const server = await startScriptedServer({ scenario: Scenario.parse({ name: "slugs", turns: turnsOf(project) }) });
  const env = environmentIn(home, server.apiKey);
  const shell = await openTerminalShell({ cwd: home, env, columns });
  const standIns: StandIns = { home: join(home, ".sylk"), userHome: home, user: "ada", ids: new Map() };
  const sessions = ["first", "second"].map((session) => hookClient({ session, repository, env }));
  const told: HookRun[] = [];
  const happenings: Readonly<Record<string, () => Promise<void>>> = {
    "two sessions edit the same file": async () => {
      for (const session of sessions) {
        expect(await session.start()).toMatchObject({ code: 0, stderr: "" });
        told.push(await session.edit(project.contested));
      }
    },
    "both sessions end": async () => {
      for (const session of sessions) await session.send("SessionEnd", { reason: "other" });
    },
  };

  async function take(step: WalkStep): Promise<void> {
    if (step.kind === "happens") {
      const happening = happenings[step.what];
      if (happening === undefined) throw new Error(`the page says "${step.what}", which no session can do here`);
      await happening();
    } else if (step.kind === "told") {
      const expected = step.text.map((line) => line.replaceAll("src/slug.ts", project.contested));
      expect(told.map(({ code }) => code)).toEqual([0, 2]);
      expect(difference(expected, told[1]!.stderr, { unordered: false, names: [] }, standIns)).toBeUndefined();
    } else if (step.only === undefined || step.only === project.language) await type(step);
  }

  async function type(step: Extract<WalkStep, { kind: "typed" }>): Promise<void> {
    const { exitCode, output } = await shell.type(typedAs(withRealIds(step.command, standIns)), step.answers);
    const printed = textOf(screenOf(output, columns));
    const seen = `line ${step.line}: ${step.command}\n${printed}`;
    expect(exitCode, seen).toBe(step.exitCode);
    // The page shows the first project; the others are compared with what was kept of them.
    if (step.output === undefined || project.language !== "typescript") return;
    expect(difference(step.output, printed, step, standIns), seen).toBeUndefined();
  }

  /** As it is on the page, but for what only a published package and a paid model have. */
  const typedAs = (command: string): string =>
    command
      .replace(/^npm install -g sylk$/, `npm install -g ${inject("packed").tarball}`)
      .replace(/--model claude-\S+/, `--model rehearsal --base-url ${server.url}`);

  return {
    repository,
    standIns,
    transcript: () => textOf(screenOf(steadyOutput(shell.output()), columns)),
    async follow(steps) {
      for (const step of steps) await take(step);
    },
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      for (let left = processesUnder(home); left.length > 0; left = processesUnder(home))
        await Promise.all(left.map(killAndWait));
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** As after a login: the variable of the model's key is in the shell's start-up file. */
function environmentIn(home: string, key: string): Readonly<Record<string, string>> {
  const prefix = join(home, ".npm-global");
  mkdirSync(prefix);
  const machine = strangersEnvironment(home, [join(prefix, "bin"), dirname(process.execPath)]);
  return {
    ...(machine as Readonly<Record<string, string>>),
    npm_config_prefix: prefix,
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_progress: "false",
    npm_config_loglevel: "error",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    // Where it would be anyway; named, so that what is left of it is found at the end.
    SYLK_HOME: join(home, ".sylk"),
    SYLK_HTTP_PORT: "0",
    ANTHROPIC_API_KEY: key,
    // Without a sandbox each command of a run would wait for a person.
    ...(noSandbox === "" ? {} : { SYLK_RUNS_SANDBOX: "off" }),
  };
}
