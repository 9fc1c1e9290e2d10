/** Door of runs: everything a run adds to its graph, and its worker, where models and checks run. */
export { adoptRuns } from "./adopt-runs.ts";
export { approvalEffects } from "./approval-effects.ts";
export { approveCommand, userSeat, type UserPorts } from "./ask-user.ts";
export { approvePlan } from "./approve-plan.ts";
export { type Channel, createChannel, type Frame } from "./channel.ts";
export { concludeRun, type ConcludePorts } from "./conclude-run.ts";
export { createEngineerSeats, type EngineerSeats } from "./engineer-seats.ts";
export { describeRun } from "./describe-run.ts";
export { followRuns, type Planned } from "./follow-run.ts";
export { runHandlers } from "./handlers.ts";
export { type CheckResult, judgeRound } from "./judge-round.ts";
export { archiveRun, keepMessage } from "./keep-run.ts";
export { listRuns } from "./list-runs.ts";
export { reachWorker } from "./reach-worker.ts";
export { BudgetExhausted, meteredConversation, recordedCommand, type RunContext } from "./run-context.ts";
export { followMerges } from "./record-merge.ts";
export { adding, nodesOfPlan } from "./run-graph.ts";
export { createNodeTitles } from "./node-titles.ts";
export { specsOf } from "./run-nodes.ts";
export type { MergeChange, ModelChoice, RunPorts, RunRepositories } from "./run-ports.ts";
export { type RunReader, viewRun } from "./run-view.ts";
export { createRunWorkers, type RunWorkers } from "./run-workers.ts";
export { busySessions, treesOfRuns } from "./runs-at-work.ts";
export { costOf, serveWorker, type ServePorts } from "./serve-worker.ts";
export { sandboxedCommand } from "./sandboxed-command.ts";
export { sandboxNotice, sandboxTerms, type SandboxTerms } from "./sandbox-terms.ts";
export type { RunRecord, RunRepository, RunTx } from "./store.ts";
export { sqliteRuns } from "./store.sqlite.ts";
export type { DaemonMethods, RunWork, ToDaemon, ToWorker, WorkerMethods } from "./worker-protocol.ts";

/** A person may take days to answer a question. */
export const runDeadlineMs = 14 * 24 * 60 * 60_000;
