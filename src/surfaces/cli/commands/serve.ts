import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { WrittenCommand } from "../command.ts";
import { entryPoints } from "../entry-points.ts";
import { refuseDowngrade } from "../refuse-downgrade.ts";
import { takeNodeOptions } from "../start-daemon.ts";
import { settingFlags, settingFlagTerms } from "../setting-flags.ts";

/**
 * The garbage of large answers is collected when the heap has grown by half. By itself the engine waits for several times its
 * size: beside 200 unread lists of 4 MB the daemon took 406 to 411 MB, and with this 299 to 334 MB.
 */
const heapGrowth = "--heap-growing-percent=50";

export const serveCommand: WrittenCommand = {
  summary: "Run the daemon in the foreground",
  example: "sylk serve --http-port 7400",
  details: "For service managers and containers. Ends on SIGTERM or Ctrl-C after finishing the requests in progress.",
  flags: {
    ...settingFlagTerms,
    background: { describe: "print nothing (used by commands that start the daemon)" },
  },
  async run({ paths, env, flags, out, signal, json }) {
    takeNodeOptions(env);
    setFlagsFromString(heapGrowth);
    const onDemand = flags.background === true;
    const daemon = await entryPoints().serve({
      paths,
      env,
      flags: settingFlags(flags),
      ...(onDemand
        ? {
            onLocked: () => refuseDowngrade(paths),
            startedBy: { node: process.execPath, script: resolve(process.argv[1]!) },
          }
        : {}),
    });
    process.once("SIGTERM", () => daemon.stop());
    signal.addEventListener("abort", () => daemon.stop());
    if (json) out.json({ pid: process.pid, socket: paths.socket, url: daemon.url });
    else if (!onDemand)
      out.line(`Serving ${paths.home} at ${daemon.url ?? paths.socket} (pid ${process.pid}); Ctrl-C stops`);
    await daemon.stopped;
    // Whatever a library left open must not keep a stopped daemon alive.
    process.exit(0);
  },
};
