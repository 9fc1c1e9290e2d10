/** A request is accepted: checked as far as it can be without a model, recorded, and given to a worker. */
import {
  type Approval,
  type Caller,
  DomainError,
  run as contract,
  type InputOf,
  type OutputOf,
  type RunId,
} from "../../contract/index.ts";
import { ensureProject, locateProject, type ProjectRepository } from "../../coordination/registry/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { routeInput, type KnownReviewer } from "../guide/index.ts";
import { sessionFor, type SessionRepository, type WorkspacePort } from "../sessions/index.ts";
import type { JournalTx } from "./journal.ts";
import { viewRun } from "./run-view.ts";
import type { RunRecord } from "./store.ts";
import type { WorkerHost } from "./worker-host.ts";

export type RunRepositories = JournalTx & {
  readonly projects: ProjectRepository;
  readonly sessions: SessionRepository;
  readonly audit: AuditRepository;
};
export type RunPorts = {
  readonly store: Store<RunRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly workers: WorkerHost;
  /** Refuses when there may be no further session. */
  readonly sessionRoom?: (tx: RunRepositories) => Promise<void>;
  /** Reviewers that plugins of a project's live agents brought along. */
  readonly reviewersAt?: (projectPath: string) => Promise<readonly KnownReviewer[]>;
  readonly workspaces: WorkspacePort;
  /** Decides what a node of a graph waits for; that it is settled is recorded with the node. */
  readonly answerNode: (
    waiting: Approval,
    decision: { readonly decision: "approve" | "reject"; readonly reason: string | undefined },
    caller: Caller,
  ) => Promise<void>;
  /** Refuses when no model could answer: no provider, no key, a scenario that cannot be read. */
  readonly checkModel: (choice: {
    readonly provider: string | undefined;
    readonly rehearse: string | undefined;
  }) => Promise<void>;
};
type Wanted = InputOf<"run.start">;

export async function startRun(
  wanted: Wanted,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<OutputOf<"run.start">> {
  const place = await locateProject(wanted.project.path);
  const { to, text } = routeInput(wanted.request, (await ports.reviewersAt?.(place.path)) ?? []);
  if (to !== "architect")
    throw new DomainError(
      "input.invalid",
      `request: a run is planned by the architect; ${to} cannot take it. Leave the tag out`,
      { details: { problems: [{ path: "request", message: `${to} does not plan` }] } },
    );
  if (caller.kind === "agent" && caller.project.path !== place.path)
    throw new DomainError("caller.denied", "An agent may start runs in its own project only", {
      details: { needed: "a token of that project" },
    });
  await ports.checkModel({ provider: wanted.provider, rehearse: wanted.rehearse });
  const id = ports.ids.next("run");
  const workspace = await ports.workspaces.prepare({ repository: place.tree, name: shortName(id) });
  return transact(place.path, async (tx) => {
    const { newest: since } = await tx.events.bounds();
    const project = await ensureProject(place, tx, ports);
    const session = await sessionFor(wanted, text, project, tx, ports);
    const record: RunRecord = {
      id,
      session: session.id,
      project: project.id,
      request: wanted.request,
      status: "planning",
      reason: workspace.notice,
      label: undefined,
      model: undefined,
      options: optionsOf(wanted, place.tree),
      plan: undefined,
      workspace: workspace.workspace,
      commit: undefined,
      outcome: "open",
      cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
      since,
      createdAt: ports.clock.now(),
      updatedAt: ports.clock.now(),
    };
    await tx.runs.insert(record);
    await tx.events.append(
      project.id,
      contract.RunStarted.of(id, { run: id, session: session.id, request: wanted.request }),
    );
    if (wanted.approve)
      await tx.audit.append({
        actor: actorOf(caller),
        action: "run.approved-in-advance",
        subject: id,
        project: project.id,
      });
    tx.afterCommit(() => ports.workers.launch(id));
    return { run: await viewRun(record, tx.runs) };
  });
}

function optionsOf(
  { approve, budget, provider, rehearse, testCommand, lintCommand, environment }: Wanted,
  repository: string,
): RunRecord["options"] {
  return { repository, approve, budget, provider, rehearse, testCommand, lintCommand, environment };
}

/** Readable in a branch name: the time is in front, chance at the end. */
function shortName(id: RunId): string {
  return `run-${id.slice(-8)}`;
}
