/** Builds a worker: ports over the channel to the daemon, and the roles that need a model or the tree. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox } from "../../adapters/confinement/index.ts";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { openModel } from "../../adapters/models/index.ts";
import { createCommands } from "../../adapters/processes/index.ts";
import { createArchitect } from "../../agents/architect/index.ts";
import { createEngineer, type ReservationClient } from "../../agents/engineer/index.ts";
import { createInspector } from "../../agents/inspector/index.ts";
import { createLibrarian } from "../../agents/librarian/index.ts";
import { librarianTools } from "../../agents/shared/code-look/index.ts";
import { runSkills } from "../../agents/roles/index.ts";
import { createTester } from "../../agents/tester/index.ts";
import type { NodeId, OutputOf, RoleName } from "../../contract/index.ts";
import type { CodeLook } from "../../knowledge/code-index/index.ts";
import type { EnclosedCommand } from "../../orchestration/executors/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import {
  type Channel,
  type DaemonMethods,
  meteredConversation,
  recordedCommand,
  sandboxedCommand,
  type RunContext,
  type RunWork,
} from "../../orchestration/runs/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Redactor } from "../../platform/redact/index.ts";
import { createReporter, reportedConversation } from "./reports.ts";

type Daemon = Pick<Channel<DaemonMethods>, "call">;
type Approve = (argv: readonly string[], signal: AbortSignal, node?: NodeId) => Promise<boolean>;
export type Worker = { readonly deliver: RoleHandler; close(): Promise<void> };

export async function buildWorker(work: RunWork, daemon: Daemon, redactor: Redactor): Promise<Worker> {
  const clock = systemClock();
  const reporter = createReporter((reports) => daemon.call("report", reports), clock);
  const workspace = work.run.workspace!;
  const record: RunContext["record"] = (fact) => daemon.call("record", fact);
  const model = modelOf(work, record);
  const approve = approveBy(work, daemon);
  const caches = cachesOf(work);
  const context: RunContext = {
    work,
    guide: { ask: askThrough(daemon) },
    clock,
    ids: randomIds(clock),
    record,
    workspace,
    workspaces: createWorkspaces(createGit(clock, process.env), work.workspaces, clock),
    converse: reportedConversation(
      meteredConversation({ model: model.open, spend: (spent) => daemon.call("spend", spent), record }),
      reporter,
      { model: model.open, clock },
    ),
    command: cleaned(
      sandboxedCommand(
        recordedCommand(work, { commands: createCommands(clock), record, enclose: enclosing(work, caches) }),
        work.sandbox,
        { approve },
      ),
      redactor,
    ),
  };
  await context.workspaces.ensure(workspace);
  const roles = rolesOf(context, { ...daemon, approve });
  return {
    deliver(message, signal) {
      const role = roles[message.to];
      if (role === undefined) throw new Error(`${message.to} has no seat in a worker`);
      return role(message, signal);
    },
    async close() {
      await reporter.settled();
      await model.close();
      if (caches !== undefined) await rm(caches, { recursive: true, force: true });
    },
  };
}

/** A question about a command says whether it would run without a sandbox. */
function approveBy({ sandbox }: RunWork, daemon: Daemon): Approve {
  const unsandboxed = sandbox.kind === "ask" ? sandbox.reason : undefined;
  return (argv, signal, node) => daemon.call("approve", { argv, unsandboxed, node }, signal);
}

/** Each run has caches of its own, for as long as its worker lives. */
function cachesOf({ run, sandbox }: RunWork): string | undefined {
  return sandbox.kind === "sandboxed" ? join(sandbox.caches, run.id) : undefined;
}

function enclosing(
  { run, sandbox }: RunWork,
  caches: string | undefined,
): (command: EnclosedCommand) => EnclosedCommand {
  if (sandbox.kind !== "sandboxed" || caches === undefined) return (command) => command;
  const { network, hidden } = sandbox;
  const { enclose } = createSandbox({ clock: systemClock(), network });
  const { tree, repository } = run.workspace!;
  return (command) => enclose(command, { tree, repository, caches, hidden, network });
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

function rolesOf(
  context: RunContext,
  daemon: Daemon & { readonly approve: Approve },
): Readonly<Partial<Record<RoleName, RoleHandler>>> {
  const show = () => daemon.call("show", undefined);
  const look: CodeLook = async (name, input) => (await daemon.call("code", { name, input })) as never;
  const tools = librarianTools((skill, input, signal) => daemon.call("librarian", { skill, input }, signal));
  const openSkills = runSkills(context, show);
  return {
    architect: createArchitect({ ...context, librarianTools: tools, show, openSkills: openSkills.architect }),
    librarian: createLibrarian({ look }),
    engineer: createEngineer({
      ...context,
      librarianTools: tools,
      reservationsOf: (node) => reservationsOf(node, context, daemon),
      approve: daemon.approve,
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
