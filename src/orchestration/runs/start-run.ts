/** Starts a run: checks the request without a model, records the run with its graph, and launches it. */
import {
  DomainError,
  run as contract,
  type InputOf,
  invalidInput,
  type OutputOf,
  type RunId,
} from "../../contract/index.ts";
import { ensureProject, locateProject } from "../../coordination/registry/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Call } from "../../platform/operations/index.ts";
import { recordGraph } from "../graphs/index.ts";
import { routeInput } from "../guide/index.ts";
import { sessionFor } from "../sessions/index.ts";
import { firstGraph, graphOptions } from "./run-graph.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";
import { viewRun } from "./run-view.ts";
import type { RunRecord } from "./store.ts";

type Wanted = InputOf<"run.start">;

export async function startRun(
  wanted: Wanted,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<OutputOf<"run.start">> {
  const place = await locateProject(wanted.project.path);
  const { to, text } = routeInput(wanted.request, (await ports.reviewersAt?.(place.path)) ?? []);
  if (to !== "architect")
    throw invalidInput("request", `${to} does not plan`, {
      sentence: `request: only the architect plans runs, so ${to} cannot take this request. Remove the tag.`,
    });
  if (caller.kind === "agent" && caller.project.path !== place.path)
    throw new DomainError("caller.denied", "An agent can start runs only in its own project", {
      details: { needed: "a token of that project" },
    });
  await ports.checkModel({ provider: wanted.provider, rehearse: wanted.rehearse });
  const id = ports.ids.next("run");
  const { workspace, notice } = await ports.workspaces.prepare({ repository: place.tree, name: shortName(id) });
  const notices = [notice, await ports.sandboxNotice?.()].filter((one) => one !== undefined);
  const reason = notices.length === 0 ? undefined : notices.join("; ");
  return transact(place.path, async (tx) => {
    const { newest: since } = await tx.events.bounds();
    const project = await ensureProject(place, tx, ports);
    const session = await sessionFor(wanted, text, project, tx, ports);
    const options = optionsOf(wanted, place.tree, ports);
    const now = ports.clock.now();
    const record: RunRecord = {
      id,
      session: session.id,
      project: project.id,
      request: wanted.request,
      status: "planning",
      reason,
      label: undefined,
      model: undefined,
      options,
      plan: undefined,
      workspace,
      commit: undefined,
      outcome: "open",
      cleared: false,
      mergedAs: undefined,
      cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
      since,
      createdAt: now,
      updatedAt: now,
    };
    await tx.runs.insert(record);
    await tx.events.append(
      project.id,
      contract.RunStarted.of(id, { run: id, session: session.id, request: wanted.request, ...defined({ reason }) }),
    );
    if (wanted.approve)
      await tx.audit.append({
        actor: actorOf(caller),
        action: "run.approved-in-advance",
        subject: id,
        project: project.id,
      });
    const graph = {
      id,
      session: session.id,
      project: project.id,
      name: wanted.request.slice(0, longestName),
      options: graphOptions({ ...options, tree: workspace.tree }),
      graph: firstGraph(ports.ids),
      since,
    };
    await recordGraph(graph, tx, ports);
    return { run: await viewRun(record, tx) };
  });
}

const longestName = 120;

function optionsOf(
  { approve, budget, provider, rehearse, testCommand, lintCommand, environment }: Wanted,
  repository: string,
  { commandEnvironment }: RunPorts,
): RunRecord["options"] {
  const given = { approve, budget, provider, rehearse, testCommand, lintCommand };
  return { repository, ...given, environment: commandEnvironment(environment) };
}

/** A short form for branch names: the time first, the random part at the end. */
function shortName(id: RunId): string {
  return `run-${id.slice(-8)}`;
}
