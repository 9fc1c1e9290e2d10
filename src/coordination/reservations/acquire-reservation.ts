/**
 * Acquiring: check and insert share one transaction, so of two racing agents exactly one wins.
 *
 *   wanted -> one name each -> lost token? -> own hold that meets it: renewed or widened -> rivals, and those who waited before -> granted
 *
 * With `waitMs` it gets in line first and looks again whenever something ends, until its turn or its time has come.
 */
import { DomainError, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { stillHeld } from "./conflict.ts";
import { compileInput } from "./covered-paths.ts";
import { refuseToken } from "./fencing.ts";
import { firstBlocker } from "./first-blocker.ts";
import { grantOrWiden } from "./grant-reservation.ts";
import { nameInput } from "./name-input.ts";
import type { ReservationPorts, ReservationRepositories } from "./ports.ts";
import type { LinePlace, Waiter } from "./wait-line.ts";

type Answer = OutputOf<"reservation.acquire">;

export async function acquireReservation(
  given: InputOf<"reservation.acquire">,
  { caller, transact, signal }: AgentCall<ReservationRepositories>,
  ports: ReservationPorts,
): Promise<Answer> {
  const { paths, patterns } = nameInput(given, caller.tree, ports.resolveName);
  const wanted = { ...given, paths: [...new Set(paths)], patterns: [...new Set(patterns)] };
  const covered = compileInput(wanted, caller.tree);
  const settings = await ports.settingsFor(caller.tree);
  const waiter: Waiter = { agent: caller.agent, tree: caller.tree, mode: wanted.mode, scope: wanted.scope, covered };
  const attempt = (place?: LinePlace): Promise<Answer> =>
    transact(caller.project.id, async (tx) => {
      await requireLiveAgent(caller, tx);
      await refuseToken(wanted, caller, tx, ports);
      return grantOrWiden({ wanted, waiter, caller, settings, place }, tx, ports);
    });
  return wanted.waitMs === 0 ? attempt() : inLine({ waiter, waitMs: wanted.waitMs, caller, signal, attempt }, ports);
}

/** An open request is a sign of life: who waits quietly must not be taken for gone. */
const heardEveryMs = 30_000;

type Waiting = {
  readonly waiter: Waiter;
  readonly waitMs: number;
  readonly caller: AgentCaller;
  readonly signal: AbortSignal | undefined;
  readonly attempt: (place: LinePlace) => Promise<Answer>;
};

/** Its own last attempt says why, when its time has come before its turn. */
async function inLine({ waiter, waitMs, caller, signal, attempt }: Waiting, ports: ReservationPorts): Promise<Answer> {
  const place = ports.line.join(waiter);
  const deadline = place.joinedAt + waitMs;
  let isGranted = false;
  try {
    for (;;) {
      if (signal?.aborted) throw givenUp();
      ports.liveness.touch(caller.agent.id);
      const leftMs = deadline - ports.clock.monotonic();
      const blocker = await firstBlocker(waiter, caller, leftMs, ports);
      const isItsTurn = blocker === undefined && place.ahead() === undefined;
      if (isItsTurn || leftMs <= 0) {
        const answer = await attempt(place).catch((error: unknown) => {
          const isHeld = error instanceof DomainError && error.code === "reservation.conflict";
          throw isHeld ? stillHeld(error, waitMs) : error;
        });
        isGranted = true;
        return answer;
      }
      const endsInMs = blocker === undefined ? leftMs : ports.leases.leftMs(blocker.record);
      await place.woken(Math.min(leftMs, endsInMs, heardEveryMs), signal);
    }
  } finally {
    place.leave();
    if (!isGranted) countLostWait(waiter, caller, Math.round(ports.clock.monotonic() - place.joinedAt), ports);
  }
}

/** A statistic, not a fact: no call waits for it, and a store that refuses it has already refused the wait. */
function countLostWait(
  { covered }: Waiter,
  { project }: AgentCaller,
  waitedMs: number,
  { store, clock }: ReservationPorts,
): void {
  const paths = covered.map(({ source }) => source);
  const wait = { project: project.id, paths, waitedMs, at: clock.now() };
  store.transact(project.id, (tx) => tx.reservations.addLostWait(wait)).catch(() => {}); // a figure: the caller's own answer says what is wrong with the store
}

/** The caller may be gone; a repeated request has to wait again, so it must not be kept as a refusal. */
function givenUp(): DomainError {
  return new DomainError("daemon.stopping", "The request ended while it waited in line; ask again");
}
