/** Stopping the daemon: it finishes what is under way, and is gone when this returns. */
import { DomainError } from "../../contract/errors.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { readDaemonRecord, readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { silent, socketTransport } from "../transport/index.ts";
import { elapse, findDaemon } from "./daemon-link.ts";
import { recordedDaemon } from "./recorded-daemon.ts";

const stopDeadlineMs = 15_000;
const probeTimeoutMs = 5_000;

/** The pid of the daemon that was stopped; undefined when none was running. Waits until its socket and record are gone. */
export async function stopDaemon(paths: HomePaths): Promise<number | undefined> {
  const presence = await findDaemon(paths, { timeoutMs: probeTimeoutMs });
  if (presence === "silent") throw silent(paths.socket, probeTimeoutMs);
  return presence === "absent" ? stopByPid(paths) : stopByCall(paths);
}

async function stopByCall(paths: HomePaths): Promise<number> {
  const { status, body } = await socketTransport(paths.socket)({
    method: "POST",
    path: "/v1/shutdown",
    headers: { authorization: `Bearer ${readUserToken(paths.token) ?? ""}`, "content-type": "application/json" },
    body: "{}",
  });
  if (status !== 200) throw new DomainError("caller.denied", `The daemon refused to stop: ${body}`);
  const isGone = async () => readDaemonRecord(paths.record) === undefined && (await findDaemon(paths)) === "absent";
  await untilStopped(isGone);
  return (JSON.parse(body) as { readonly pid: number }).pid;
}

/** Its socket is missing, so it cannot be asked. It finishes what is under way on this signal too. */
async function stopByPid(paths: HomePaths): Promise<number | undefined> {
  const pid = await recordedDaemon(paths);
  if (pid === undefined) return undefined;
  process.kill(pid, "SIGTERM");
  await untilStopped(async () => (await recordedDaemon(paths)) === undefined);
  return pid;
}

async function untilStopped(isGone: () => Promise<boolean>): Promise<void> {
  const clock = systemClock();
  for (const deadline = clock.monotonic() + stopDeadlineMs; clock.monotonic() < deadline; await elapse(clock, 20))
    if (await isGone()) return;
  throw new DomainError(
    "daemon.stopping",
    `The daemon did not stop within ${stopDeadlineMs / 1000} s; "sylk logs" may show why`,
  );
}
