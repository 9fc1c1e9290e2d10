/** The composition root of a worker: ports, the Guide, and the roles of one run. */
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { openModel } from "../../adapters/models/index.ts";
import { createCommands } from "../../adapters/processes/index.ts";
import { answerFromHistory } from "../../agents/shared/answers/index.ts";
import { architectRole, createArchitect } from "../../agents/architect/index.ts";
import { archivalistRole, createArchivalist } from "../../agents/archivalist/index.ts";
import { createEngineer, engineerRole, type OpenReservations } from "../../agents/engineer/index.ts";
import { type Agent, createAgent, type RoleDefinition } from "../../agents/skills/index.ts";
import { createInspector, inspectorRole } from "../../agents/inspector/index.ts";
import { createLibrarian, librarianRole } from "../../agents/librarian/index.ts";
import { createOrchestrator, orchestratorRole } from "../../agents/orchestrator/index.ts";
import { createTester, testerRole } from "../../agents/tester/index.ts";
import { createGuide, type RoleHandler } from "../../orchestration/guide/index.ts";
import {
  executeRun,
  meteredConversation,
  recordedCommand,
  type RunContext,
  type RunWork,
} from "../../orchestration/runs/index.ts";
import { runSkills } from "./skills.ts";
import { commandApproval, userSeat } from "./user.ts";
import { createReporter, reportedConversation, reportedRole, type Reporter } from "./reports.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Redactor } from "../../platform/redact/index.ts";
import { createClient, socketTransport, type SylkClient } from "../../surfaces/client/index.ts";

const longestQuery = 200;

export function composeWorker(
  work: RunWork,
  { record, slot }: Pick<RunContext, "record" | "slot">,
  redactor: Redactor,
): { execute(signal: AbortSignal): Promise<void> } {
  return {
    async execute(signal) {
      const clock = systemClock();
      const user = createClient({ transport: socketTransport(work.socket), token: work.userToken });
      const inProject = createClient({
        transport: socketTransport(work.socket),
        token: work.userToken,
        project: work.run.workspace!.tree,
      });
      const reporter = createReporter(inProject, clock);
      const model = await openModel({ rehearse: work.run.options.rehearse, provider: work.provider }, clock);
      try {
        await record({ kind: "model", model: `${model.provider}/${model.name}`, label: model.label });
        const ids = randomIds(clock);
        const guide = createGuide({ ids, clock, record: (message) => record({ kind: "message", message }) }).open(
          work.run.session,
          { run: work.run.id },
        );
        const context: RunContext = {
          work,
          guide,
          clock,
          ids,
          record,
          slot,
          workspace: work.run.workspace!,
          workspaces: createWorkspaces(createGit(clock, process.env), work.workspaces, clock),
          converse: reportedConversation(meteredConversation(work, { model, record }), reporter, {
            provider: model.provider,
            clock,
          }),
          command: cleaned(recordedCommand(work, { commands: createCommands(clock), record }), redactor),
        };
        const agents = startRoles(context, { user, inProject, redactor, reporter });
        try {
          await executeRun(context, signal);
        } finally {
          for (const agent of agents) agent.stop();
        }
      } finally {
        await reporter.settled();
        await model.close();
      }
    },
  };
}

/** Before anybody reads it: a model is not told the keys that a command printed. */
function cleaned(command: RunContext["command"], redactor: Redactor): RunContext["command"] {
  return async (request) => {
    const result = await command(request);
    return { ...result, output: redactor.text(result.output) };
  };
}

/** In a run it keeps what it is told to, and answers about the past as it does anywhere else. */
function archivalistOf(context: RunContext, inProject: SylkClient): RoleHandler {
  const keep = createArchivalist(context);
  const recall = answerFromHistory({
    search: async (_, words, limit) =>
      (await inProject.call("history.list", { query: words.join(" ").slice(0, longestQuery), limit })).items,
  });
  return (message, signal) => (message.type === "HISTORY_REQUEST" ? recall : keep)(message, signal);
}

type RolePorts = {
  readonly user: SylkClient;
  /** The user, in the run's own project. */
  readonly inProject: SylkClient;
  readonly redactor: Redactor;
  readonly reporter: Reporter;
};

function startRoles(context: RunContext, { user, inProject, redactor, reporter }: RolePorts): readonly Agent[] {
  const { clock } = context;
  const openSkills = runSkills(context, user);
  const asking = { ...context, user, redactor };
  context.guide.register("user", userSeat(asking));
  const start = (role: RoleDefinition, handler: RoleHandler): Agent => {
    const agent = createAgent(role, reportedRole(role.name, handler, reporter, clock));
    agent.start(context.guide);
    return agent;
  };
  return [
    start(architectRole, createArchitect({ ...context, openSkills: openSkills.architect })),
    start(librarianRole, createLibrarian(context)),
    start(orchestratorRole, createOrchestrator({ ...context, random: Math.random })), // clock-exempt: jitter of retries
    start(
      engineerRole,
      createEngineer({
        ...context,
        openReservations: reservationsOf(context, user),
        approve: commandApproval(asking),
        openSkills: openSkills.engineer,
      }),
    ),
    start(inspectorRole, createInspector(context)),
    start(testerRole, createTester(context)),
    start(archivalistRole, archivalistOf(context, inProject)),
  ];
}

/** Engineers are agents like all others: registered, with a token of their own, in the session's tree. */
function reservationsOf({ work }: RunContext, user: SylkClient): OpenReservations {
  return async (node) => {
    const { agent, token } = await user.call("agent.register", {
      sessionKey: node,
      client: "sylk",
      project: { path: work.run.workspace!.tree },
      capabilities: ["engineer"],
      pid: process.pid,
    });
    const own = createClient({ transport: socketTransport(work.socket), token });
    return {
      name: agent.name,
      async acquire(path, { waitMs, signal }) {
        const input = { paths: [path], reason: work.run.id, waitMs };
        return (await own.call("reservation.acquire", input, { signal })).reservation.id;
      },
      async renew(id) {
        await own.call("reservation.renew", { id });
      },
      async peerFindings() {
        return (await own.call("finding.list", { peers: true, status: "open", limit: 50 })).items;
      },
      async end() {
        await own.call("agent.end", { id: agent.id });
      },
    };
  };
}
