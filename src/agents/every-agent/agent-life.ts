/**
 * An agent on the bus, from start to stop.
 *
 *   start(bus) -> registered with its routing info, answers -> stop() -> whoever is under way is told, nobody is answered
 *
 * Invariant: it listens at most once; between stop and the next start it answers nothing.
 */
import type { RoleName } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import type { RoleDefinition, RoutingInfo } from "./define-role.ts";

export type AgentBus = {
  /** Where it can be undone, it answers how. */
  register(role: RoleName, handler: RoleHandler, info: RoutingInfo): (() => void) | void;
};
export type Agent = {
  readonly role: RoleDefinition;
  readonly isRunning: boolean;
  start(bus: AgentBus): void;
  stop(): void;
};

export function createAgent(role: RoleDefinition, handler: RoleHandler): Agent {
  let life: { readonly ending: AbortController; readonly leave: (() => void) | void } | undefined;
  return {
    role,
    get isRunning() {
      return life !== undefined;
    },
    start(bus) {
      if (life !== undefined) throw new Error(`the ${role.name} runs already; stop it before you start it again`);
      const ending = new AbortController();
      const answer: RoleHandler = async (request, signal) => {
        if (ending.signal.aborted) throw new Error(`the ${role.name} was stopped and answers nothing more`);
        return handler(request, AbortSignal.any([signal, ending.signal]));
      };
      life = { ending, leave: bus.register(role.name, answer, role.routing) };
    },
    stop() {
      const { ending, leave } = life ?? {};
      life = undefined;
      leave?.();
      ending?.abort(new Error(`the ${role.name} was stopped`));
    },
  };
}
