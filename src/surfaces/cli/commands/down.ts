import type { WrittenCommand } from "../command.ts";
import { stopDaemon } from "../stop-daemon.ts";

export const down: WrittenCommand = {
  operation: "daemon.stop",
  example: "sylk down",
  details: "Nothing is lost: the next command starts it again.",
  async run({ paths, out, json }) {
    const pid = await out.progress("stopping the daemon", stopDaemon(paths));
    if (json) out.json({ stopped: pid !== undefined, pid: pid ?? null });
    else out.line(pid === undefined ? "No daemon was running" : `The daemon (pid ${pid}) has stopped`);
  },
};
