/** Connects a running run: a router of the Guide with a seat for each role. Some seats forward to the run's worker. */
import { archivalistRole, archivalistSeat } from "../../agents/archivalist/index.ts";
import { architectRole, architectSeat } from "../../agents/architect/index.ts";
import { engineerRole } from "../../agents/engineer/index.ts";
import { inspectorRole } from "../../agents/inspector/index.ts";
import { librarianRole } from "../../agents/librarian/index.ts";
import { answerBlocked, createOrchestrator, orchestratorRole } from "../../agents/orchestrator/index.ts";
import { answerFromHistory } from "../../agents/shared/answers/index.ts";
import type { Corrections } from "../../agents/shared/checks/index.ts";
import { createAgent, reportedRole, type RoleDefinition, type RoleReports } from "../../agents/skills/index.ts";
import { testerRole } from "../../agents/tester/index.ts";
import type { ProjectId, RunId } from "../../contract/index.ts";
import type { HostPorts } from "../../orchestration/graphs/index.ts";
import type { Guide, RoleHandler } from "../../orchestration/guide/index.ts";
import { archiveRun, keepMessage, type RunWorkers, userSeat, type UserPorts } from "../../orchestration/runs/index.ts";
import type { DaemonParts } from "./parts.ts";

/** Roles that need a model, or the run's tree. */
export const workerRoles = ["architect", "librarian", "engineer", "inspector", "tester"] as const;

type Ports = UserPorts & {
  readonly guide: () => Guide;
  readonly workers: RunWorkers;
  readonly corrections: Corrections;
  readonly brief: (request: string, project: ProjectId) => Promise<string | undefined>;
  /** Delivers a message to the run's worker. Pauses the run when a person must fix something first. */
  readonly workerOf: (run: RunId) => RoleHandler;
};

export function companionsOf(parts: DaemonParts, ports: Ports): NonNullable<HostPorts["companionOf"]> {
  /** Unknown before the run's model is open, and where the store does not answer. */
  const labelOf = (run: RunId): Promise<string | undefined> =>
    parts.store.reader.runs.find(run).then(
      (record) => record?.label,
      () => undefined,
    );
  const keeping = { store: parts.store, clock: parts.clock, clean: ports.clean };
  return ({ id, session, project }, run, restored) => {
    if (!id.startsWith("run_")) return undefined;
    const runId = id as RunId;
    const guide = ports
      .guide()
      .open(session, { run: runId, record: (message) => keepMessage(runId, message, keeping) });
    const worker = ports.workerOf(runId);
    const recall = answerFromHistory({
      search: async (_, words, limit) =>
        (await parts.store.reader.archive.search({ project, sessions: [session], words, limit })).items,
    });
    const architect = architectSeat({
      run: runId,
      guide,
      corrections: ports.corrections,
      worker,
      brief: (request) => ports.brief(request, project),
    });
    const archivalist = archivalistSeat({
      run: runId,
      recall,
      keep: (entry) => archiveRun(runId, entry, keeping),
    });
    const seat = (role: RoleDefinition, handler: RoleHandler) => {
      const send: RoleReports = (report) =>
        void labelOf(runId).then((label) => parts.health.report({ ...report, project, label }));
      return createAgent(role, reportedRole(role.name, handler, { send, clock: parts.clock }));
    };
    const agents = [
      seat(architectRole, architect),
      seat(orchestratorRole, createOrchestrator({ guide })),
      seat(archivalistRole, archivalist),
      ...[librarianRole, engineerRole, inspectorRole, testerRole].map((role) => seat(role, worker)),
    ];
    for (const agent of agents) agent.start(guide);
    guide.register("user", userSeat(runId, ports));
    const leaving = new AbortController();
    answerBlocked(run, restored, leaving.signal, { guide });
    return {
      rest: () => ports.workers.rest(runId),
      async close() {
        leaving.abort();
        for (const agent of agents) agent.stop();
        await ports.workers.rest(runId);
        guide.close();
      },
    };
  };
}
