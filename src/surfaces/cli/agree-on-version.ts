/**
 * The handshake: before a call the command reads which daemon serves, and an older one makes way for it.
 *
 *   record -> same version: nothing to do
 *          -> older daemon: mark the home as ours -> ask that very process to finish -> wait -> start ours
 *          -> newer daemon: go on and say so, or refuse
 *
 * The mark comes first: a daemon of the old version that a command of its kind starts in between reads it under the lock
 * and leaves. The stop names its process: of many commands that see the old daemon none can stop the new one.
 */
import { systemClock } from "../../platform/clock/index.ts";
import {
  readDaemonRecord,
  readUserToken,
  writeServedBy,
  type DaemonRecord,
  type HomePaths,
} from "../../platform/home/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { socketTransport } from "../transport/index.ts";
import { ensureDaemon, findDaemon, untilGone } from "./daemon-link.ts";
import { judgeVersions } from "./judge-versions.ts";
import { newerNote, notReplaced, replacedNote, tooNew } from "./version-messages.ts";

type Terms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
};

const ours = { version, protocol };
const drainWithinMs = 20_000;

/** True when this command has started a daemon of its own version. */
export async function agreeOnVersion({ paths, env, note }: Terms): Promise<boolean> {
  const daemon = readDaemonRecord(paths.record);
  // No daemon serves, or none says so: a command that starts one now starts its own version.
  if (daemon === undefined || daemon.version === version) return false;
  if ((await findDaemon(paths)) === "absent") return false; // the record of one that was killed
  switch (judgeVersions(ours, daemon)) {
    case "refuse":
      throw tooNew(ours, daemon);
    case "warn":
      note(newerNote(ours, daemon));
      return false;
    case "replace":
      return replaceDaemon(daemon, { paths, env, note });
    case "use":
      return false;
  }
}

async function replaceDaemon(old: DaemonRecord, { paths, env, note }: Terms): Promise<boolean> {
  const clock = systemClock();
  writeServedBy(paths.servedBy, version);
  const asked = await askToStop(old.pid, paths);
  if (!(await untilGone(paths, old.pid, drainWithinMs, clock))) throw notReplaced(ours, old, drainWithinMs);
  const started = await ensureDaemon(paths, env, { clock, note });
  const record = readDaemonRecord(paths.record);
  if (record !== undefined && judgeVersions(ours, record) === "replace") throw notReplaced(ours, old, drainWithinMs);
  if (asked) note(replacedNote(ours, old, record?.pid));
  return started;
}

/** False when another command has asked before, or the daemon is another one by now. */
async function askToStop(pid: number, paths: HomePaths): Promise<boolean> {
  try {
    const { body } = await socketTransport(paths.socket)({
      method: "POST",
      path: "/v1/shutdown",
      headers: { authorization: `Bearer ${readUserToken(paths.token) ?? ""}`, "content-type": "application/json" },
      body: JSON.stringify({ pid }),
    });
    return (JSON.parse(body) as { readonly stopping?: boolean }).stopping === true;
  } catch {
    return false; // it is already on its way out; whether it goes is seen by waiting
  }
}
