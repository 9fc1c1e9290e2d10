/** Handlers of reservations: what `contract/reservation.ts` names. */
import type { AgentCaller, AgentId } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { MailRepository } from "../mail/index.ts";
import { acquireReservation } from "./acquire-reservation.ts";
import { checkPaths } from "./check-paths.ts";
import { listReservations } from "./list-reservations.ts";
import { answerRequests, askForRelease, forceRelease } from "./negotiate.ts";
import type { ReservationPorts, ReservationRepositories } from "./ports.ts";
import { releaseReservation, renewReservation } from "./renew-reservation.ts";
import { reservationStats } from "./reservation-stats.ts";
import { waitForEnd } from "./wait-for-end.ts";

type Repositories = ReservationRepositories & { readonly mail: MailRepository; readonly audit: AuditRepository };
type Covered = { readonly paths: readonly string[]; readonly patterns: readonly string[] };
export type ReservationHandlerPorts = ReservationPorts & {
  /** The agent edits files: that is progress on the work item it has claimed. */
  readonly noteProgress: (agent: AgentId) => void;
  /** Sentences about what processes of killed sessions left on files; absent where there are no processes. */
  readonly leftNews?: { tell(who: AgentCaller, files: Covered): Promise<readonly string[]> } | undefined;
};

export function reservationHandlers(
  ports: ReservationHandlerPorts,
): OperationHandlers<Repositories, OperationsOn<"reservation">> {
  /** Only a reservation that was granted counts. */
  const asProgress = async <T>({ agent }: AgentCaller, granted: Promise<T>): Promise<T> => {
    const answer = await granted;
    ports.noteProgress(agent.id);
    return answer;
  };
  return {
    async "reservation.acquire"(input, call) {
      const answer = await asProgress(call.caller, acquireReservation(input, call, ports));
      const news = (await ports.leftNews?.tell(call.caller, answer.reservation)) ?? [];
      return news.length === 0 ? answer : { ...answer, news: [...news] };
    },
    "reservation.list": (input, { caller }) => listReservations(input, caller, ports),
    "reservation.renew": (input, call) => {
      const renewed = renewReservation(input, call, ports);
      return input.changed ? asProgress(call.caller, renewed) : renewed;
    },
    "reservation.check": (input, { caller }) => checkPaths(input, caller, ports),
    "reservation.wait": (input, call) => waitForEnd(input, call, ports),
    "reservation.ask": (input, call) => askForRelease(input, call, ports),
    "reservation.answer": (input, call) => answerRequests(input, call, ports),
    "reservation.force": (input, call) => forceRelease(input, call, ports),
    "reservation.release": ({ id }, call) => releaseReservation(id, call, ports),
    "reservation.stats": (input, { caller }) => reservationStats(input, caller, ports),
  };
}
