/** The composition root's second half: what runs need, and the handlers of their operations. */
import { join } from "node:path";
import type { AuditDraft, OperationName } from "../../contract/index.ts";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { checkModel, testConfigured } from "../../adapters/models/index.ts";
import { createCommands, startTimeOf } from "../../adapters/processes/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { listHistory } from "../../knowledge/archive/index.ts";
import {
  type CommandPort,
  createProcessRecorder,
  createPrompts,
  type ProcessRecorder,
  type PromptPort,
} from "../../orchestration/executors/index.ts";
import type { KnownReviewer } from "../../orchestration/guide/index.ts";
import { providersIn } from "../../orchestration/models/index.ts";
import {
  cancelRun,
  commandEnvironment,
  createWorkerHost,
  decideApproval,
  diffOfRun,
  discardRun,
  findRun,
  interruptRun,
  listApprovals,
  listRuns,
  mergeRun,
  resumeRun,
  runsOfSessions,
  type RunPorts,
  type RunWork,
  startRun,
  viewRun,
  workerEnvironment,
  type WorkerHost,
} from "../../orchestration/runs/index.ts";
import type { SessionWork } from "../../orchestration/sessions/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { takeSlot } from "../../platform/pool/index.ts";
import { readUserToken } from "../../platform/home/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

export type RunOperation = Extract<OperationName, `${"run" | "approval" | "history" | "provider"}.${string}`>;
type RunHandlers = OperationHandlers<Repositories, RunOperation>;

export function composeRuns(
  parts: Parts,
  terms: Terms,
  sessionRoom: NonNullable<RunPorts["sessionRoom"]>,
  answerNode: RunPorts["answerNode"],
): {
  readonly handlers: RunHandlers;
  readonly workers: WorkerHost;
  readonly work: SessionWork<Repositories>;
  readonly prompts: PromptPort;
  readonly commands: CommandPort;
  readonly processes: ProcessRecorder<Repositories>;
  readonly checkModel: RunPorts["checkModel"];
  learnKeys(): Promise<void>;
} {
  const { paths, env, clock, log, redactor } = terms;
  const beatMs = terms.settings["workers.beatMs"];
  const folder = join(paths.home, "worktrees");
  const providers = providersIn(join(paths.home, "providers.json"), { env, onKeys: redactor.learn });
  const workspaces = createWorkspaces(createGit(clock, env), folder, clock);
  const commands = createCommands(clock);
  const processes = createProcessRecorder({ store: parts.store, endGroup: commands.endGroup, log });
  const workers = createWorkerHost({
    ...parts,
    log,
    processes,
    startTimeOf,
    takeSlot: (job) => takeSlot(parts.pool, job),
    beatMs,
    clean: redactor.value,
    onWorkerEnded: (error) =>
      parts.health.report({
        kind: "daemon",
        component: "worker",
        ...(error === undefined ? { outcome: "ok" } : { outcome: "failed", error }),
      }),
    spawnWorker: () => terms.spawnWorker(workerEnvironment(env)),
    async workOf(run): Promise<RunWork> {
      const { reader } = parts.store;
      const [nodes, checks, findings, approvals] = await Promise.all([
        reader.runs.nodesOf(run.id),
        reader.runs.checksOf(run.id),
        reader.runs.findingsOf(run.id),
        reader.approvals.list({ graph: run.id, project: undefined, waitingOnly: false }),
      ]);
      const provider = run.options.rehearse === undefined ? await providers.choose(run.options.provider) : undefined;
      return {
        run,
        nodes,
        checks,
        findings,
        approvals,
        provider,
        onBlockingFinding: (await terms.settingsOfTree(run.workspace?.repository))["findings.onBlocking"],
        beatMs,
        socket: paths.socket,
        userToken: readUserToken(paths.token) ?? "",
        workspaces: folder,
        skillPlaces: { tree: run.options.repository, user: join(paths.home, "skills") },
        secrets: redactor.learned(),
      };
    },
  });
  const ports: RunPorts = {
    ...parts,
    workers,
    sessionRoom,
    workspaces,
    answerNode,
    checkModel: (choice) => checkModel(choice, providers),
    reviewersAt: (path) => reviewersAt(path, parts),
  };
  return {
    workers,
    work: runsOfSessions({ clock, workers }),
    commands,
    processes,
    checkModel: ports.checkModel,
    prompts: createPrompts({
      clock,
      commands,
      processes,
      startTimeOf,
      providers,
      secrets: redactor.learned,
      clean: redactor.value,
      beatMs,
      spawnWorker: () => terms.spawnWorker(workerEnvironment(env)),
    }),
    handlers: handlersOf(parts, ports, providers, env),
    learnKeys: () =>
      providers.list().then(
        () => {},
        (error: unknown) => log.warn("providers.unreadable", { error }), // whoever needs one is told then
      ),
  };
}

/** An agent with a reviewer says so by the capability reviewer:<name>. */
async function reviewersAt(path: string, { store: { reader } }: Parts): Promise<readonly KnownReviewer[]> {
  const project = await reader.projects.findByPath(path);
  if (project === undefined) return [];
  const agents = await reader.agents.list({ project: project.id, includeGone: false });
  return agents.flatMap(({ name: agent, capabilities }) =>
    capabilities.flatMap((capability) => {
      const [, name] = /^reviewer:(.+)$/.exec(capability) ?? [];
      return name === undefined ? [] : [{ name, agent }];
    }),
  );
}

function handlersOf(
  parts: Parts,
  ports: RunPorts,
  providers: ReturnType<typeof providersIn>,
  env: Terms["env"],
): RunHandlers {
  return {
    "run.start": (input, call) =>
      startRun({ ...input, environment: commandEnvironment(input.environment, env) }, call, ports),
    "run.list": (input, { caller }) => listRuns(input, caller, ports),
    "run.get": async ({ id }, { caller }) => ({
      run: await viewRun(await findRun(id, caller, parts.store.reader.runs), parts.store.reader.runs),
    }),
    "run.interrupt": ({ id }, call) => interruptRun(id, call, ports),
    "run.resume": ({ id }, call) => resumeRun(id, call, ports),
    "run.cancel": ({ id }, call) => cancelRun(id, call, ports),
    "run.diff": ({ id }, { caller }) => diffOfRun(id, caller, ports),
    "run.merge": (input, call) => mergeRun(input, call, ports),
    "run.discard": ({ id }, call) => discardRun(id, call, ports),
    "approval.list": (input, { caller }) => listApprovals(input, caller, ports),
    "approval.decide": (input, call) => decideApproval(input, call, ports),
    "history.list": (input, { caller }) => listHistory(input, caller, parts),
    "provider.add": async ({ key, makeDefault, ...config }, { caller }) => {
      const { name, kind, model, keyVariable } = config;
      const where = keyVariable ?? (key === undefined ? "as before" : "file");
      const act = { actor: actorOf(caller), action: "provider.added", subject: name, project: undefined };
      return recorded({ ...act, details: { kind, model, key: where } }, parts, async () => ({
        provider: await providers.add(config, key, makeDefault),
      }));
    },
    "provider.list": async () => ({ items: [...(await providers.list())] }),
    "provider.test": async ({ name }) => {
      const chosen = await providers.choose(name);
      const tested = await testConfigured(chosen, parts.clock);
      parts.health.report({
        kind: "provider",
        component: chosen.config.name,
        ms: tested.latencyMs,
        ...(tested.ok ? { outcome: "ok" } : { outcome: "failed", error: tested.problem }),
      });
      return tested;
    },
    "provider.remove": async ({ name }, { caller }) => {
      const act = { actor: actorOf(caller), action: "provider.removed", subject: name, project: undefined };
      const isKnown = (await providers.list()).some((provider) => provider.name === name);
      await (isKnown ? recorded(act, parts, () => providers.remove(name)) : providers.remove(name));
      return { removed: true };
    },
  };
}

/** A file of its own cannot share the store's transaction: the act is written down first, and its failure after it. */
async function recorded<T>(act: AuditDraft, { store }: Parts, change: () => Promise<T>): Promise<T> {
  await store.transact("audit", (tx) => tx.audit.append(act));
  try {
    return await change();
  } catch (error) {
    await store.transact("audit", (tx) => tx.audit.append({ ...act, action: `${act.action}-failed` }));
    throw error;
  }
}
