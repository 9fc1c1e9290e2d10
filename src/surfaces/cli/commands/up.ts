import { rmSync } from "node:fs";
import { readDaemonRecord } from "../../../platform/home/index.ts";
import { agreeOnVersion } from "../agree-on-version.ts";
import type { WrittenCommand } from "../command.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { settingFlagTerms, settingVariables } from "../setting-flags.ts";

export const up: WrittenCommand = {
  summary: "Start the daemon if it is not running",
  example: "sylk up",
  flags: {
    ...settingFlagTerms,
    downgrade: { describe: "serve this home with this version, although a newer one served it last" },
  },
  async run({ paths, env, flags, out, json }) {
    const given = await settingVariables(flags);
    if (flags.downgrade === true) rmSync(paths.servedBy, { force: true });
    const terms = { paths, env: { ...env, ...given }, note: out.note };
    const replaced = await out.progress("starting the daemon", agreeOnVersion(terms));
    const started = (await out.progress("starting the daemon", ensureDaemon(paths, terms.env))) || replaced;
    const record = readDaemonRecord(paths.record);
    if (json) return out.json({ started, ...record });
    out.line(
      `The daemon ${started ? "is up" : "was already up"} (pid ${record?.pid ?? "unknown"}, ${record?.url ?? "unix socket only"}, home ${paths.home})`,
    );
    if (!started && Object.keys(given).length > 0)
      out.line('These settings apply after a restart: run "sylk down", then this command again');
  },
};
