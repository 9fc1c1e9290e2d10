/** The Guide's own hooks. They stand first before routing and last after it, so that others see what they did. */
import { DomainError, type Message, type RoleName, type SessionId } from "../../contract/index.ts";
import type { Seat } from "./delivery/agent-seats.ts";
import type { HookChain } from "./delivery/hook-chain.ts";
import { keepRecord, type SessionState } from "./session-state.ts";

const first = 0;
const last = 100;

export function addSessionHooks(
  hooks: HookChain,
  ports: {
    readonly stateOf: (session: SessionId) => SessionState | undefined;
    readonly seatOf: (message: Pick<Message, "session" | "run">, role: RoleName) => Seat | undefined;
  },
): void {
  hooks.add("pre-route", {
    name: "session context",
    order: first,
    run(request) {
      const { turns = 0, lastTarget, lastIntent } = ports.stateOf(request.session) ?? {};
      const context = { session: request.session, turn: turns + 1, lastTarget, lastIntent };
      return { ...request, metadata: { ...request.metadata, context } };
    },
  });
  hooks.add("post-route", {
    name: "session state",
    order: last,
    run({ session, to, intent }) {
      const state = ports.stateOf(session);
      if (state === undefined) return;
      state.turns++;
      state.lastTarget = to[0];
      state.lastIntent = intent;
    },
  });
  hooks.add("pre-dispatch", {
    name: "agent health",
    order: first,
    run(request) {
      const { to } = request;
      if (ports.seatOf(request, to)?.health.state !== "dead") return;
      throw new DomainError("role.unavailable", `${to} is not responding. Ask another role, or retry later.`, {
        details: { role: to, reason: "dead" },
      });
    },
  });
  hooks.add("post-dispatch", {
    name: "routing decision",
    order: last,
    run(report) {
      const state = ports.stateOf(report.request.session);
      if (state !== undefined) keepRecord(state, report);
    },
  });
}
