/** The context that the roles of one run share, inside its worker. */
import type { NodeId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { CommandPort, CommandRequest, CommandResult, EnclosedCommand } from "../executors/index.ts";
import type { SessionRouter } from "../guide/index.ts";
import type { Conversation, ConversationEnd, Model } from "../models/index.ts";
import type { Workspace, WorkspacePort } from "../sessions/index.ts";
import type { DaemonMethods, RunFact, RunWork } from "./worker-protocol.ts";

export type RunContext = {
  readonly work: RunWork;
  readonly workspace: Workspace;
  readonly workspaces: WorkspacePort;
  readonly guide: Pick<SessionRouter, "ask">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Resolves when the record is durable. */
  readonly record: (fact: RunFact) => Promise<void>;
  readonly converse: (
    role: string,
    node: NodeId | undefined,
    conversation: Omit<Conversation, "onStep" | "onRetry">,
  ) => Promise<ConversationEnd>;
  /** Runs a command in the run's sandbox. Its process is recorded before it runs, and removed when it has ended. */
  readonly command: (request: RunCommand) => Promise<CommandResult>;
};

export type RunCommand = Omit<CommandRequest, "onStarted" | "env"> & {
  /** A command of Sylk's own that only looks at the tree: no person is asked about it where no sandbox works. */
  readonly onlyLooks?: boolean;
};

export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/** Records the cost after each step. Beyond the budget, the next call is refused. */
export function meteredConversation({
  model,
  spend,
  record,
}: {
  readonly model: () => Promise<Model>;
  readonly spend: (spent: DaemonMethods["spend"]["input"]) => Promise<DaemonMethods["spend"]["output"]>;
  readonly record: RunContext["record"];
}): RunContext["converse"] {
  const refuseOverBudget = (problem: string | undefined): void => {
    if (problem !== undefined) throw new BudgetExhausted(problem);
  };
  return async (role, node, conversation) => {
    refuseOverBudget(await spend(undefined));
    const opened = await model();
    return opened.converse({
      ...conversation,
      async onStep({ usage }) {
        refuseOverBudget(await spend({ role, node, model: opened.name, usage }));
      },
      onRetry(retry) {
        // Only told: a call that succeeds later must not fail because the pause before it could not be recorded.
        record({ kind: "retry", role, node, ...retry }).catch(() => {});
      },
    });
  };
}

export function recordedCommand(
  work: RunWork,
  {
    commands,
    record,
    enclose,
  }: {
    readonly commands: CommandPort;
    readonly record: RunContext["record"];
    /** Puts the command into the run's sandbox. */
    readonly enclose: (command: EnclosedCommand) => EnclosedCommand;
  },
): (request: Omit<RunCommand, "onlyLooks">) => Promise<CommandResult> {
  return async ({ argv, cwd, ...request }) => {
    let started: Parameters<NonNullable<CommandRequest["onStarted"]>>[0] | undefined;
    try {
      return await commands.run({
        ...request,
        ...enclose({ argv, cwd, env: work.run.options.environment }),
        async onStarted(process) {
          started = process;
          await record({ kind: "process", process, running: true });
        },
      });
    } finally {
      if (started !== undefined) await record({ kind: "process", process: started, running: false });
    }
  };
}
