/** What the roles of one run share, inside its worker. */
import type { NodeId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Lane } from "../../platform/pool/index.ts";
import type { CommandPort, CommandRequest, CommandResult } from "../executors/index.ts";
import type { SessionRouter } from "../guide/index.ts";
import type { Conversation, ConversationEnd, Model } from "../models/index.ts";
import type { Workspace, WorkspacePort } from "../sessions/index.ts";
import type { JournalEntry } from "./journal.ts";
import type { RunWork } from "./worker-protocol.ts";

export type RunContext = {
  readonly work: RunWork;
  readonly workspace: Workspace;
  readonly workspaces: WorkspacePort;
  readonly guide: Pick<SessionRouter, "register" | "unregister" | "ask">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Durable when it resolves. */
  readonly record: (...entries: readonly JournalEntry[]) => Promise<void>;
  /** Waits, as long as it takes, for a slot of the daemon's pool; gives the way to give it back. */
  readonly slot: (role: string, lane: Lane, signal: AbortSignal) => Promise<() => void>;
  readonly converse: (
    role: string,
    node: NodeId | undefined,
    conversation: Omit<Conversation, "onStep">,
  ) => Promise<ConversationEnd>;
  /** Runs a command of the run: its process is recorded before it runs and forgotten when it has ended. */
  readonly command: (request: Omit<CommandRequest, "onStarted" | "env">) => Promise<CommandResult>;
};

type Ports = { readonly model: Model; readonly commands: CommandPort; readonly record: RunContext["record"] };

export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/** Spending is recorded step by step; the next call beyond the budget is refused, not reported later. */
export function meteredConversation(
  work: RunWork,
  { model, record }: Pick<Ports, "model" | "record">,
): RunContext["converse"] {
  const { budget } = work.run.options;
  let spent = work.run.cost.inputTokens + work.run.cost.outputTokens;
  const refuseOverBudget = (): void => {
    if (budget !== undefined && spent >= budget)
      throw new BudgetExhausted(
        `the run's budget of ${budget} tokens is used up (${spent}); start again with a larger --budget`,
      );
  };
  return async (role, node, conversation) => {
    refuseOverBudget();
    return model.converse({
      ...conversation,
      async onStep({ usage }) {
        spent += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
        await record({ kind: "spent", role, node, model: model.name, usage });
        refuseOverBudget();
      },
    });
  };
}

export function recordedCommand(
  work: RunWork,
  { commands, record }: Pick<Ports, "commands" | "record">,
): RunContext["command"] {
  return async (request) => {
    let started: Parameters<NonNullable<CommandRequest["onStarted"]>>[0] | undefined;
    try {
      return await commands.run({
        ...request,
        env: work.run.options.environment,
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
