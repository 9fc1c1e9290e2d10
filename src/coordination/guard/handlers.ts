/** Handlers of the guard: what `contract/guard.ts` names. */
import type { AgentId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { CatchUpClock } from "../commits/index.ts";
import { afterTools } from "./after-tools.ts";
import { confineCommand, type ConfinePorts } from "./confine-command.ts";
import { checkCommit } from "./check-commit.ts";
import { explainBlocked } from "./explain-blocked.ts";
import type { HoldFollower } from "./follow-holds.ts";
import { guardWrite } from "./guard-write.ts";
import type { GuardPorts, GuardRepositories } from "./ports.ts";
import type { ShellStates } from "./shell-states.ts";
import { startSession } from "./start-session.ts";

export type GuardHandlerPorts = GuardPorts &
  ConfinePorts & {
    /** Counts the hooks that no daemon answered: a daemon that hung for a while has some, too. Costs nothing without any. */
    readonly ingestOutcomes: () => Promise<void>;
    /** A write is progress on the work item that its agent has claimed. */
    readonly noteProgress: (agent: AgentId) => void;
    readonly catchUp: Pick<CatchUpClock, "refresh">;
    /** Confined commands that run follow what changes. */
    readonly shells: Pick<ShellStates, "asked" | "of">;
    readonly follower: Pick<HoldFollower, "soon" | "started">;
  };

export function guardHandlers(ports: GuardHandlerPorts): OperationHandlers<GuardRepositories, OperationsOn<"guard">> {
  return {
    async "guard.start"(input, call) {
      await ports.ingestOutcomes();
      return startSession(input, call, ports);
    },
    async "guard.write"(input, call) {
      await ports.ingestOutcomes();
      const answer = await guardWrite(input, call, ports);
      const { id } = call.caller.agent;
      ports.noteProgress(id);
      const refresh = ports.catchUp.refresh(id);
      const paths = answer.items.flatMap(({ path, state }) => (state === "reserved" ? [path] : []));
      const killed = paths.length === 0 ? [] : await ports.leftNews?.tell(call.caller, { paths, patterns: [] });
      const news = [...(killed ?? []), ...(ports.installs?.tell(call.caller) ?? [])];
      return {
        ...answer,
        ...(refresh.length === 0 ? {} : { refresh: [...refresh] }),
        ...(news.length === 0 ? {} : { news }),
      };
    },
    async "guard.used"(input, { caller }) {
      await ports.ingestOutcomes();
      const answer = await afterTools(input, caller, ports);
      if (input.wrote.length > 0) ports.follower.soon();
      const blocked = input.said === undefined ? undefined : await explainBlocked(input.said, caller, ports);
      const unguarded = await ports.unguarded.tell(caller.agent.id);
      return { ...answer, unguarded: [...unguarded], ...defined({ blocked }) };
    },
    async "guard.confine"(input, { caller }) {
      const answer = await confineCommand(input, caller, ports);
      await ports.shells.asked(caller.agent.id);
      if (answer.state === "enforced") ports.follower.started();
      return answer;
    },
    "guard.commit": (input, call) => checkCommit(input, call, ports),
  };
}
