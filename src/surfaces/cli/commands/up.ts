import { rmSync } from "node:fs";
import { systemClock } from "../../../platform/clock/index.ts";
import { type HomePaths, readDaemonRecord } from "../../../platform/home/index.ts";
import { agreeOnVersion } from "../agree-on-version.ts";
import type { WrittenCommand } from "../command.ts";
import { ensureDaemon, untilGone } from "../daemon-link.ts";
import { settingFlagTerms, settingVariables } from "../setting-flags.ts";
import { askStatus } from "./status.ts";

/** A daemon that lost its home ends within 5 s; a busy machine may need longer. */
const endsWithinMs = 15_000;

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
    await out.progress("waiting for a daemon that is ending", afterLostDaemon(terms));
    const replaced = await out.progress("starting the daemon", agreeOnVersion(terms));
    const started = (await out.progress("starting the daemon", ensureDaemon(paths, terms.env, terms))) || replaced;
    const record = readDaemonRecord(paths.record);
    if (json) return out.json({ started, ...record });
    out.line(
      `The daemon ${started ? "is up" : "was already up"} (pid ${record?.pid ?? "unknown"}, ${record?.url ?? "unix socket only"}, home ${paths.home})`,
    );
    if (!started && Object.keys(given).length > 0)
      out.line('These settings apply after a restart: run "sylk down", then this command again');
  },
};

/** A daemon that lost its home still answers for a few seconds and takes no change: it is not "already up". */
async function afterLostDaemon({ paths, note }: { paths: HomePaths; note: (text: string) => void }): Promise<void> {
  const found = await askStatus(paths);
  const lost = found.running ? found.troubles.find(({ part }) => part === "home") : undefined;
  if (lost === undefined || found.pid === null) return;
  note(lost.what);
  await untilGone(paths, found.pid, endsWithinMs, systemClock());
}
