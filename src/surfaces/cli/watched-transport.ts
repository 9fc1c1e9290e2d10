/**
 * The socket's transport for commands, with an eye on the daemon: where no answer comes for a while, another process asks
 * whether a daemon is there. A daemon that is suspended is named in seconds; a long call and a busy machine are waited for.
 */
import { systemClock, type Timer } from "../../platform/clock/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { silent, socketTransport, type Transport } from "../transport/index.ts";
import { findDaemon } from "./daemon-link.ts";
import { isSuspended } from "./suspended.ts";

const patienceMs = 2_000;
const probeTimeoutMs = 3_000;

export function watchedTransport(paths: HomePaths, limit: { readonly timeoutMs?: number } = {}): Transport {
  const send = socketTransport(paths.socket, limit);
  const clock = systemClock();
  return async (request) => {
    const given = new AbortController();
    let answered = false;
    let timer: Timer;
    const waitAndLook = (): void => void (timer = clock.after(patienceMs, () => void look()));
    const look = async (): Promise<void> => {
      const presence = await findDaemon(paths, { timeoutMs: probeTimeoutMs });
      if (answered) return;
      if (presence === "silent" && isSuspended(paths)) given.abort(silent(paths.socket, patienceMs + probeTimeoutMs));
      else waitAndLook();
    };
    waitAndLook();
    try {
      return await send({ ...request, signal: given.signal });
    } finally {
      answered = true;
      timer!.cancel();
    }
  };
}
