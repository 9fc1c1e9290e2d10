import { DomainError } from "../../../contract/errors.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { readDaemonRecord, readUserToken, type HomePaths } from "../../../platform/home/index.ts";
import { socketTransport } from "../../transport/index.ts";
import type { Command } from "../command.ts";
import { elapse, isDaemonReady } from "../daemon-link.ts";

const stopDeadlineMs = 15_000;

export const down: Command = {
  words: "down",
  summary: "Finish what is under way and stop the daemon",
  example: "sylk down",
  details: "Nothing is lost: the next command starts it again.",
  async run({ paths, out, json }) {
    const pid = readDaemonRecord(paths.record)?.pid;
    const stopped = await out.progress("stopping the daemon", stopDaemon(paths));
    if (json) out.json({ stopped, pid: stopped ? pid : null });
    else out.line(stopped ? `The daemon (pid ${pid ?? "unknown"}) has stopped` : "No daemon was running");
  },
};

/** False when none was running. Waits until its socket and record are gone. */
async function stopDaemon(paths: HomePaths): Promise<boolean> {
  if (!(await isDaemonReady(paths))) return false;
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
    if (readDaemonRecord(paths.record) === undefined && !(await isDaemonReady(paths))) return true;
  }
  throw new DomainError(
    "daemon.stopping",
    `The daemon did not stop within ${stopDeadlineMs / 1000} s; "sylk logs" may tell why`,
  );
}
