/** Stopping the daemon: it finishes what is under way, and is gone when this returns. */
import { DomainError } from "../../contract/errors.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { readDaemonRecord, readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { silent, socketTransport } from "../transport/index.ts";
import { elapse, findDaemon } from "./daemon-link.ts";

const stopDeadlineMs = 15_000;
const probeTimeoutMs = 5_000;

/** False when none was running. Waits until its socket and record are gone. */
export async function stopDaemon(paths: HomePaths): Promise<boolean> {
  const presence = await findDaemon(paths, { timeoutMs: probeTimeoutMs });
  if (presence === "silent") throw silent(paths.socket, probeTimeoutMs);
  if (presence === "absent") return false;
  const clock = systemClock();
  const send = socketTransport(paths.socket);
  const { status, body } = await send({
    method: "POST",
    path: "/v1/shutdown",
    headers: { authorization: `Bearer ${readUserToken(paths.token) ?? ""}`, "content-type": "application/json" },
    body: "{}",
  });
  if (status !== 200) throw new DomainError("caller.denied", `The daemon refused to stop: ${body}`);
  for (const deadline = clock.monotonic() + stopDeadlineMs; clock.monotonic() < deadline; await elapse(clock, 20)) {
    if (readDaemonRecord(paths.record) === undefined && (await findDaemon(paths)) === "absent") return true;
  }
  throw new DomainError(
    "daemon.stopping",
    `The daemon did not stop within ${stopDeadlineMs / 1000} s; "sylk logs" may show why`,
  );
}
