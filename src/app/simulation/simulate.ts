/**
 * The load model's composition root: each world is a whole engine, as a daemon has it, in a folder that is thrown away, on
 * a clock moved by hand. No surface listens.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDaemon } from "../daemon/build-daemon.ts";
import type { DampingRule, OutputOf, RawInputOf, OperationName } from "../../contract/index.ts";
import { operations } from "../../contract/index.ts";
import { compareRules, rhythms, type Seat, simulate, type World } from "../../orchestration/load-model/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { resolveSettings, type Settings } from "../../platform/config/index.ts";
import { homePaths } from "../../platform/home/index.ts";
import { createLog } from "../../platform/log/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import type { Simulation } from "../../surfaces/cli/index.ts";

export const simulation: Simulation = {
  rhythms,
  simulate: (terms, watching) => simulate(terms, openWorld, watching),
  compare: (terms, watching) => compareRules(terms, openWorld, watching),
};

/** `changed` and `home` are for tests, which look at a world from inside. */
export async function openWorld({
  off,
  changed = {},
}: {
  readonly off: readonly DampingRule[];
  readonly changed?: Partial<Settings>;
}): Promise<World & { readonly home: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sylk-simulation-")));
  const clock = manualClock();
  const settings = { ...withoutRules(await defaultSettings(), off), ...changed };
  const defects: unknown[] = [];
  const engine = buildDaemon({
    paths: homePaths({ SYLK_HOME: folder }),
    settings,
    settingsOfTree: Object.assign(async () => settings, { troubles: () => [] }),
    clock,
    log: createLog({ level: "warn", clock, write: (line) => defects.push(line) }),
    redactor: createRedactor(),
    logTrouble: () => undefined,
    startedAt: clock.now(),
    scratch: true,
    env: {},
    spawnWorker: refuse,
    copyStore: refuse,
    examine: refuse,
    onStop: () => {},
  });
  const tree = repository(folder);
  let unanswered = 0;
  let before: Promise<unknown> = Promise.resolve();
  const oneByOne: OneByOne = (call) => {
    unanswered++;
    const answer = before.then(call).finally(() => unanswered--);
    before = answer.catch(() => {});
    return answer;
  };
  return {
    home: folder,
    clock,
    inTurn: createKeyedQueue(),
    join: (name) => oneByOne(() => joinAs(name, tree, engine, oneByOne)),
    async settled() {
      do await nextTurn();
      while (unanswered > 0 || isTurnDue());
      if (defects.length > 0) throw new Error(`the simulated daemon complained: ${String(defects[0])}`);
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Engine = ReturnType<typeof buildDaemon>;

/** Time stands still until it is answered. Some calls read files, which takes as long as it takes: none may overtake another. */
type OneByOne = <T>(call: () => Promise<T>) => Promise<T>;

async function joinAs(
  name: string,
  tree: string,
  { dispatch, authenticate }: Engine,
  oneByOne: OneByOne,
): Promise<Seat> {
  const wanted = { sessionKey: name, client: "other", project: { path: tree }, name };
  const { agent, token } = await dispatch("agent.register", wanted, { kind: "user", project: undefined });
  return {
    id: agent.id,
    name: agent.name,
    async call<Name extends OperationName>(operation: Name, input: RawInputOf<Name>): Promise<OutputOf<Name>> {
      const known = () => authenticate({ token }, operations[operation].actor);
      // Waiting callers are answered by the clock.
      return operation === "reservation.acquire"
        ? dispatch(operation, input, await oneByOne(known))
        : oneByOne(async () => dispatch(operation, input, await known()));
    },
  };
}

/** What the rules are in the product's own settings. */
const ruleSettings: Readonly<Record<DampingRule, Partial<Settings>>> = {
  "adaptive-lease": { "reservations.maxTtlMs": 0 },
  grace: { "reservations.graceMs": 0 },
  debounce: { "commits.refreshEveryMs": 0 },
  "cool-down": { "commits.syncEveryMs": 0 },
  batch: { "commits.batchEveryMs": 0 },
};

function withoutRules(settings: Settings, off: readonly DampingRule[]): Settings {
  return Object.assign({ ...settings }, ...off.map((rule) => ruleSettings[rule])) as Settings;
}

async function defaultSettings(): Promise<Settings> {
  return (await resolveSettings({ userFile: undefined, projectFile: undefined, env: {}, flags: {} })).settings;
}

/** A folder as `git init` leaves it, as far as Sylk reads it. */
function repository(folder: string): string {
  const tree = join(folder, "repository");
  mkdirSync(join(tree, ".git"), { recursive: true });
  writeFileSync(join(tree, ".git", "HEAD"), "ref: refs/heads/main\n");
  return tree;
}

/** The store works in the event loop's next turn, all else in microtasks: without a turn that is due, only the clock advances. */
function isTurnDue(): boolean {
  return process.getActiveResourcesInfo().includes("Immediate");
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function refuse(): never {
  throw new Error("a simulated daemon starts no process");
}
