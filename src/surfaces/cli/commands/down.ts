import { readDaemonRecord } from "../../../platform/home/index.ts";
import type { WrittenCommand } from "../command.ts";
import { stopDaemon } from "../stop-daemon.ts";

export const down: WrittenCommand = {
  operation: "daemon.stop",
  example: "sylk down",
  details: "Nothing is lost: the next command starts it again.",
  async run({ paths, out, json }) {
    const pid = readDaemonRecord(paths.record)?.pid;
    const stopped = await out.progress("stopping the daemon", stopDaemon(paths));
    if (json) out.json({ stopped, pid: stopped ? pid : null });
    else out.line(stopped ? `The daemon (pid ${pid ?? "unknown"}) has stopped` : "No daemon was running");
  },
};
