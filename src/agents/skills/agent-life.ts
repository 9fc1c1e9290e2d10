/**
 * An agent on the bus, from start to stop.
 *
 *   start(bus) -> registered with its routing info, answers -> stop() -> requests under way are aborted, and none is answered
 *
 * Invariant: it listens at most once; between stop and the next start it answers nothing.
 */
import type { RoleHandler, SessionRouter } from "../../orchestration/guide/index.ts";
import type { RoleDefinition } from "./define-role.ts";

export type AgentBus = Pick<SessionRouter, "register" | "unregister">;
export type Agent = {
  readonly role: RoleDefinition;
  readonly isRunning: boolean;
  start(bus: AgentBus): void;
  stop(): void;
};

export function createAgent(role: RoleDefinition, handler: RoleHandler): Agent {
  let life: { readonly ending: AbortController; readonly bus: AgentBus } | undefined;
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
      bus.register(role.card, answer);
      life = { ending, bus };
    },
    stop() {
      const { ending, bus } = life ?? {};
      life = undefined;
      bus?.unregister(role.name);
      ending?.abort(new Error(`the ${role.name} was stopped`));
    },
  };
}
