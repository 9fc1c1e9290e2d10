import { readDaemonRecord } from "../../../platform/home/index.ts";
import type { Command } from "../command.ts";
import { ensureDaemon } from "../daemon-link.ts";

export const up: Command = {
  words: "up",
  summary: "Start the daemon, or say that it runs",
  example: "sylk up",
  async run({ paths, env, out, json }) {
    const started = await out.progress("starting the daemon", ensureDaemon(paths, env));
    const record = readDaemonRecord(paths.record);
    if (json) out.json({ started, ...record });
    else
      out.line(
        `The daemon ${started ? "is up" : "was already up"} (pid ${record?.pid ?? "unknown"}, ${record?.url ?? "unix socket only"}, home ${paths.home})`,
      );
  },
};
