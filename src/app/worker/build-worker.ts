/** Builds a worker: ports over the channel to the daemon, and the roles that need a model or the tree. */
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { openModel } from "../../adapters/models/index.ts";
import { createCommands } from "../../adapters/processes/index.ts";
import { createArchitect } from "../../agents/architect/index.ts";
import { createEngineer, type ReservationClient } from "../../agents/engineer/index.ts";
import { createInspector } from "../../agents/inspector/index.ts";
import { createLibrarian } from "../../agents/librarian/index.ts";
import { runSkills } from "../../agents/roles/index.ts";
import { createTester } from "../../agents/tester/index.ts";
import type { NodeId, OutputOf, RoleName } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import {
  type Channel,
  type DaemonMethods,
  meteredConversation,
  recordedCommand,
  type RunContext,
  type RunWork,
} from "../../orchestration/runs/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Redactor } from "../../platform/redact/index.ts";
import { createReporter, reportedConversation } from "./reports.ts";

type Daemon = Pick<Channel<DaemonMethods>, "call">;
export type Worker = { readonly deliver: RoleHandler; close(): Promise<void> };

export async function buildWorker(work: RunWork, daemon: Daemon, redactor: Redactor): Promise<Worker> {
  const clock = systemClock();
  const reporter = createReporter((reports) => daemon.call("report", reports), clock);
  const workspace = work.run.workspace!;
  const record: RunContext["record"] = (fact) => daemon.call("record", fact);
  const model = modelOf(work, record);
  const context: RunContext = {
    work,
    guide: { ask: askThrough(daemon) },
    clock,
    ids: randomIds(clock),
    record,
    workspace,
    workspaces: createWorkspaces(createGit(clock, process.env), work.workspaces, clock),
    converse: reportedConversation(
      meteredConversation({ model: model.open, spend: (spent) => daemon.call("spend", spent) }),
      reporter,
      { provider: async () => (await model.open()).provider, clock },
    ),
    command: cleaned(recordedCommand(work, { commands: createCommands(clock), record }), redactor),
  };
  await context.workspaces.ensure(workspace);
  const roles = rolesOf(context, daemon);
  return {
    deliver(message, signal) {
      const role = roles[message.to];
      if (role === undefined) throw new Error(`${message.to} has no seat in a worker`);
      return role(message, signal);
    },
    async close() {
      await reporter.settled();
      await model.close();
    },
  };
}

/** Opens the model with the first conversation, because a check needs no model. */
function modelOf({ run, provider }: RunWork, record: RunContext["record"]) {
  let opening: ReturnType<typeof openModel> | undefined;
  async function openFirst(): ReturnType<typeof openModel> {
    const model = await openModel({ rehearse: run.options.rehearse, provider }, systemClock());
    await record({ kind: "model", model: `${model.provider}/${model.name}`, label: model.label });
    return model;
  }
  return { open: () => (opening ??= openFirst()), close: async () => (await opening)?.close() };
}

/** Sends messages of roles in the worker through the daemon's Guide, like all others. */
function askThrough(daemon: Daemon): RunContext["guide"]["ask"] {
  return async (from, to, type, payload, { parent, deadlineMs, signal }) => {
    const asked = { from, to, type, payload, parent: parent?.id, deadlineMs };
    // The Guide has checked the type of the answer.
    return (await daemon.call("ask", asked, signal)) as never;
  };
}

function rolesOf(context: RunContext, daemon: Daemon): Readonly<Partial<Record<RoleName, RoleHandler>>> {
  const openSkills = runSkills(context, () => daemon.call("show", undefined));
  return {
    architect: createArchitect({ ...context, openSkills: openSkills.architect }),
    librarian: createLibrarian(context),
    engineer: createEngineer({
      ...context,
      reservationsOf: (node) => reservationsOf(node, context, daemon),
      approve: (argv, signal) => daemon.call("approve", { argv }, signal),
      openSkills: openSkills.engineer,
    }),
    inspector: createInspector(context),
    tester: createTester(context),
  };
}

/** An Engineer reserves paths as the agent that the daemon registered for its node. */
function reservationsOf(node: NodeId, { work }: RunContext, daemon: Daemon): ReservationClient {
  return {
    async acquire(path, { waitMs, signal }) {
      const input = { paths: [path], reason: work.run.id, waitMs };
      const granted = await daemon.call("act", { node, operation: "reservation.acquire", input }, signal);
      return (granted as OutputOf<"reservation.acquire">).reservation.id;
    },
    async renew(id) {
      await daemon.call("act", { node, operation: "reservation.renew", input: { id } });
    },
    async peerFindings() {
      const input = { peers: true, status: "open", limit: 50 };
      return ((await daemon.call("act", { node, operation: "finding.list", input })) as OutputOf<"finding.list">).items;
    },
  };
}

/** Removes keys that a command printed, before a model sees its output. */
function cleaned(command: RunContext["command"], redactor: Redactor): RunContext["command"] {
  return async (request) => {
    const result = await command(request);
    return { ...result, output: redactor.text(result.output) };
  };
}
