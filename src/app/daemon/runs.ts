/** Connects runs: workers, Engineers' seats, git, providers, and the executors of their node kinds. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createSandbox } from "../../adapters/confinement/index.ts";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { checkModel, testConfigured } from "../../adapters/models/index.ts";
import { createCommands, startTimeOf } from "../../adapters/processes/index.ts";
import { carryOutCheck, carryOutPlan, carryOutWork } from "../../agents/orchestrator/index.ts";
import { createCorrections } from "../../agents/shared/checks/index.ts";
import { briefingFor } from "../../knowledge/archive/index.ts";
import type { Dispatch, RunId } from "../../contract/index.ts";
import type { CodeIndex } from "../../knowledge/code-index/index.ts";
import { knownReviewers } from "../../coordination/registry/index.ts";
import {
  commandEnvironment,
  createProcessRecorder,
  createPrompts,
  workerEnvironment,
} from "../../orchestration/executors/index.ts";
import type { Executors, GraphHost } from "../../orchestration/graphs/index.ts";
import type { Guide } from "../../orchestration/guide/index.ts";
import { providerHandlers, providersIn } from "../../orchestration/models/index.ts";
import {
  approveCommand,
  approvePlan,
  concludeRun,
  createEngineerSeats,
  createRunWorkers,
  judgeRound,
  type ModelChoice,
  reachWorker,
  sandboxNotice,
  sandboxTerms,
  type RunPorts,
  serveWorker,
  type ServePorts,
  type UserPorts,
} from "../../orchestration/runs/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";
import { companionsOf, workerRoles } from "./run-companion.ts";

/** Parts that are built later, and needed only once a run starts. */
export type RunSurroundings = {
  readonly guide: () => Guide;
  readonly host: () => GraphHost<Repositories>;
  readonly dispatch: () => Dispatch;
  readonly pool: Pick<Pool, "submit">;
  readonly index: Pick<CodeIndex, "ask">;
  readonly librarian: ServePorts["librarian"];
};

export function composeRuns(parts: DaemonParts, terms: DaemonTerms, around: RunSurroundings) {
  const { paths, env, clock, log, redactor } = terms;
  const { store, ids } = parts;
  const { reader } = store;
  const beatMs = terms.settings["workers.beatMs"];
  const folder = join(paths.home, "worktrees");
  const providers = providersIn(join(paths.home, "providers.json"), { env, onKeys: redactor.learn });
  const workspaces = createWorkspaces(createGit(clock, env), folder, clock);
  const commands = createCommands(clock);
  const processes = createProcessRecorder({ store, endGroup: commands.endGroup, log });
  const network = terms.settings["runs.network"] === "on";
  const sandboxing = createSandbox({ clock, network });
  const sandboxes = {
    mode: terms.settings["runs.sandbox"],
    network,
    hidden: [paths.home, dirname(paths.socket)],
    caches: join(paths.home, "run-caches"),
  };
  const sandbox = () => sandboxTerms(sandboxes, sandboxing);
  const spawnWorker = () => terms.spawnWorker(workerEnvironment(env));
  const corrections = createCorrections();
  const routerOf = (run: RunId) => around.guide().get(run);
  const users: UserPorts = {
    store,
    clock,
    ids,
    clean: redactor.value,
    onDecided: (listener) => parts.bus.subscribe("event.approval.decided", ({ subject }) => listener(subject as never)),
  };
  const workers = createRunWorkers({
    clock,
    log,
    processes,
    startTimeOf,
    beatMs,
    spawnWorker,
    workFor: async (id) => {
      const run = (await reader.runs.find(id))!;
      return {
        run,
        provider: run.options.rehearse === undefined ? await providers.choose(run.options.provider) : undefined,
        onBlockingFinding: (await terms.settingsOfTree(run.workspace?.repository))["findings.onBlocking"],
        ownChecks: { test: terms.settings["checks.test"], lint: terms.settings["checks.lint"] },
        beatMs,
        sandbox: await sandbox(),
        workspaces: folder,
        skillPlaces: { tree: run.options.repository, user: join(paths.home, "skills") },
        secrets: redactor.learned(),
      };
    },
    serve: (run) =>
      serveWorker(run, {
        store,
        clock,
        clean: redactor.value,
        index: around.index,
        librarian: around.librarian,
        routerOf,
        approveCommand: (id, command, signal) => approveCommand(id, command, signal, users),
        engineerOf: seatOf,
        dispatch: (operation, input, caller, signal) => around.dispatch()(operation, input, caller, { signal }),
        report: async (reports, { project }) => {
          const known = await reader.projects.find(project);
          await around.dispatch()("health.report", { reports }, { kind: "user", project: known });
        },
      }),
    onBeat(run) {
      seats.touch(run);
      for (const role of workerRoles) routerOf(run)?.heartbeat(role);
    },
    onWorkerEnded: (error) =>
      parts.health.report({
        kind: "daemon",
        component: "worker",
        ...(error === undefined ? { outcome: "ok" } : { outcome: "failed", error }),
      }),
  });
  const control = () => ({ store, host: around.host() });
  const seats = createEngineerSeats({
    ...parts,
    pidOf: (run) => reachWorker(run, () => workers.open(run), control()),
  });
  const seatOf: Parameters<typeof serveWorker>[1]["engineerOf"] = (run, node) => seats.find(run, node);
  const orchestrator = {
    ids,
    corrections,
    pool: around.pool,
    findRun: async (id: RunId) => (await reader.runs.find(id))!,
    routerOf: (run: RunId) => routerOf(run)!,
    seatEngineer: seats.open,
  };
  const executors: Omit<Executors, "command" | "prompt"> = {
    plan: (attempt) => carryOutPlan(attempt, orchestrator),
    approval: (attempt) => approvePlan(attempt, { store }),
    engineer: (attempt) => carryOutWork(attempt, orchestrator),
    check: (attempt) => carryOutCheck(attempt, orchestrator),
    judge: (attempt) => judgeRound(attempt, { ids }),
    conclude: (attempt) =>
      concludeRun(attempt, {
        store,
        workspaces,
        restWorker: (run) => workers.rest(run),
        archive: async ({ id }, entry, signal) => {
          const terms = { deadlineMs: archiveMs, signal };
          await routerOf(id)!.ask("orchestrator", "archivalist", "STORE_REQUEST", entry, terms);
        },
      }),
  };
  return {
    commands,
    processes,
    executors,
    workspaces,
    checkModel: (choice: ModelChoice) => checkModel(choice, providers),
    companionOf: companionsOf(parts, {
      ...users,
      guide: around.guide,
      workers,
      corrections,
      brief: async (task, project) =>
        terms.settings["archive.briefRuns"]
          ? briefingFor({ tier: "standard", task }, project, parts.store.reader)
          : undefined,
      workerOf: (run) => async (message, signal) =>
        redactor.value(
          await reachWorker(
            run,
            () => workers.deliver(run, message, { signal, pid: seats.workerFor(run, message) }),
            control(),
          ),
        ),
    }),
    /** Selects the variables of the caller's shell that commands of runs and graphs get. */
    commandEnvironment: (given: Readonly<Record<string, string>>) => commandEnvironment(given, env),
    sandboxNotice: async () => sandboxNotice(await sandbox()),
    /** Removes the caches that workers of an earlier daemon left. */
    removeCaches: () => rm(sandboxes.caches, { recursive: true, force: true }),
    reviewersAt: ((path) => knownReviewers(path, reader)) satisfies NonNullable<RunPorts["reviewersAt"]>,
    prompts: createPrompts({
      clock,
      commands,
      processes,
      startTimeOf,
      providers,
      secrets: redactor.learned,
      clean: redactor.value,
      beatMs,
      spawnWorker,
    }),
    providerHandlers: providerHandlers({
      store,
      providers,
      test: (provider) => testConfigured(provider, clock),
      onTested: (component, { ok, latencyMs: ms, problem }) =>
        parts.health.report({
          kind: "provider",
          component,
          ms,
          ...(ok ? { outcome: "ok" } : { outcome: "failed", error: problem }),
        }),
    }),
    learnKeys: () =>
      providers.list().then(
        () => {},
        (error: unknown) => log.warn("providers.unreadable", { error }), // a run that needs a provider gets the error
      ),
  };
}

const archiveMs = 60_000;
