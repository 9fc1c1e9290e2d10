/**
 * Puts a backup in the place of the store.
 *
 *   look at the file -> no agent at work? -> stop the daemon -> replace, keep what was there -> start it again
 */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { DomainError } from "../../../contract/errors.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { readUserToken, type HomePaths } from "../../../platform/home/index.ts";
import { createClient } from "../../client/index.ts";
import { socketTransport } from "../../transport/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { elapse, ensureDaemon, findDaemon } from "../daemon-link.ts";
import { entryPoints, type StoppedStore } from "../entry-points.ts";
import { stopDaemon } from "../stop-daemon.ts";
import { counted } from "../wording.ts";

const lastStepsMs = 10_000;

export const restore: WrittenCommand = {
  summary: "Restore a backup, and keep the store it replaces",
  example: "sylk restore ~/sylk-before-the-upgrade.db",
  details: "Restarts the daemon. Changes since the backup are gone from the store; the replaced store is kept.",
  arguments: [{ name: "file", describe: "Backup to restore", required: true }],
  flags: {
    yes: { describe: "do not ask", short: "y" },
    force: { describe: "even while agents or runs are active: they lose their reservations and claims" },
  },
  async run(context) {
    const { args, cwd, paths, flags, env, out, json } = context;
    const file = resolve(cwd, String(args[0]));
    const store = await entryPoints().store();
    store.inspectBackup(file);
    const runs = (await findDaemon(paths)) !== "absent";
    if (runs && flags.force !== true) await refuseAtWork(paths);
    if (flags.yes !== true && flags.force !== true && !(await confirm(`Replace the store with ${file}?`))) {
      out.line("Nothing was changed");
      return 1;
    }
    await out.progress("stopping the daemon", stopDaemon(paths));
    const replaced = await replaceStore(store, file, context, runs);
    rmSync(paths.servedBy, { force: true }); // the daemon of the replaced store has no claim on this one
    const undo = replaced.kept?.sound === true ? `sylk restore ${replaced.kept.file}` : null;
    if (runs) await startAgain(context, undo);
    if (json) return out.json({ restored: file, kept: replaced.kept?.file ?? null, undo, started: runs });
    out.line(`The store is restored from ${file}${env.SYLK_HOME === undefined ? "" : ` (home ${paths.home})`}`);
    if (undo !== null) out.line(`The replaced store is kept; to undo this: ${undo}`);
    else if (replaced.kept !== undefined)
      out.line(`The replaced file was not a store of this version; it is kept as ${replaced.kept.file}`);
  },
};

/** A restore that fails leaves the store as it was; the daemon that served it serves again. */
async function replaceStore(store: StoppedStore, file: string, { paths, env }: CommandContext, served: boolean) {
  try {
    const clock = systemClock();
    // A daemon that has said goodbye holds its home until its process has ended.
    for (const deadline = clock.monotonic() + lastStepsMs; ; await elapse(clock, 20)) {
      const replaced = store.restore(paths, file);
      if (replaced !== undefined) return replaced;
      if (clock.monotonic() > deadline || (await findDaemon(paths)) !== "absent") break;
    }
  } catch (error) {
    if (served) await ensureDaemon(paths, env);
    throw error;
  }
  throw new DomainError("daemon.already-running", `Another daemon started in ${paths.home}; try again`, {
    details: { home: paths.home },
  });
}

async function startAgain({ paths, env, out }: CommandContext, undo: string | null): Promise<void> {
  try {
    await out.progress("starting the daemon", ensureDaemon(paths, env));
  } catch (error) {
    if (undo !== null) out.note(`the store was restored, but the daemon does not start; to undo this: ${undo}`);
    throw error;
  }
}

/** A daemon that cannot tell does not stop a restore: a restore may be the very remedy. */
async function refuseAtWork({ socket, token }: HomePaths): Promise<void> {
  const client = createClient({ transport: socketTransport(socket), token: readUserToken(token) ?? "" });
  const found = await Promise.all([client.call("agent.list", { limit: 500 }), client.call("daemon.status", {})]).catch(
    (error: unknown) => {
      if (error instanceof DomainError && error.family === "unavailable") return undefined;
      throw error;
    },
  );
  if (found === undefined) return;
  const [{ items }, { sessions }] = found;
  const agents = items.filter(({ client: kind }) => kind !== "human").map(({ name }) => name);
  if (agents.length === 0 && sessions === 0) return;
  const who = [
    ...(agents.length === 0 ? [] : [`${counted(agents.length, "live agent")} (${agents.slice(0, 5).join(", ")})`]),
    ...(sessions === 0 ? [] : [`unfinished runs in ${counted(sessions, "session")}`]),
  ];
  throw new DomainError(
    "store.in-use",
    `The daemon has ${who.join(" and ")}; a restore removes their reservations, claims and changes since the backup. End them first, or add --force`,
    { details: { agents, runs: sessions } },
  );
}
