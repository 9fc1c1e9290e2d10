/** The daemon's checks of `sylk doctor`, and the findings where no daemon answers. */
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type { DaemonStatus } from "../../contract/index.ts";
import { DomainError } from "../../contract/errors.ts";
import { resolveSettings } from "../../platform/config/index.ts";
import { checkSocketFolder, readDaemonRecord } from "../../platform/home/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { askStatus, type NotRunning } from "./commands/status.ts";
import type { Finding, DoctorTerms } from "./finding.ts";
import { judgeVersions } from "./judge-versions.ts";
import { newerThatServed } from "./refuse-downgrade.ts";

export async function checkDaemon(terms: DoctorTerms): Promise<readonly Finding[]> {
  const untrusted = checkSocket(terms);
  if (untrusted !== undefined) return [untrusted];
  const found = await askStatus(terms.paths);
  const wanted = await wantedPort(terms);
  if (!found.running) return [whyNotRunning(found, terms), ...(await checkFreePort(wanted))];
  return [
    checkVersion(found),
    ...findingsOf(found, "home", "hold"),
    checkStore(found),
    checkPort(found, wanted),
    ...findingsOf(found, "log", "logging"),
    ...findingsOf(found, "notifier", "notifications", "warning"),
  ];
}

function checkSocket({ paths }: DoctorTerms): Finding | undefined {
  try {
    checkSocketFolder(paths);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [what = "", fix = ""] = error.message.split("; ");
    return { check: "socket", state: "problem", what, fix };
  }
}

function whyNotRunning({ presence, reason, pid: found }: NotRunning, { paths }: DoctorTerms): Finding {
  if (presence === "unreachable")
    return {
      check: "daemon",
      state: "problem",
      what: `the daemon (pid ${found}) runs, but cannot be reached at ${paths.socket} (${reason})`,
      fix: 'wait 5 s: it makes the socket again; if it does not, "sylk down" and "sylk up"',
    };
  const pid = readDaemonRecord(paths.record)?.pid ?? "of the daemon";
  if (presence === "silent")
    return {
      check: "daemon",
      state: "problem",
      what: `the daemon (pid ${pid}) holds this home and does not answer (${reason})`,
      fix: `"kill -CONT ${pid}" if it was suspended; else "kill -9 ${pid}": no acknowledged change is lost, and the next command starts another daemon`,
    };
  if (presence === "failing")
    return {
      check: "daemon",
      state: "problem",
      what: reason,
      fix: "fix the named problem; the daemon continues by itself",
    };
  const newer = newerThatServed(paths);
  if (newer !== undefined)
    return {
      check: "daemon",
      state: "problem",
      what: `not running, and Sylk ${newer} served this home last; this is ${version} and does not take over on its own`,
      fix: `npm install -g sylk@${newer}, or downgrade on purpose: sylk up --downgrade`,
    };
  const stale = existsSync(paths.socket);
  const what = stale ? `there is a socket at ${paths.socket}, but no daemon answers (${reason})` : "no daemon answers";
  return { check: "daemon", state: "warning", what, fix: '"sylk up" starts it (any other command does too)' };
}

function checkVersion(daemon: DaemonStatus): Finding {
  const what = `runs version ${daemon.version}, this command is ${version}`;
  switch (judgeVersions({ version, protocol }, daemon)) {
    case "use":
      return { check: "daemon", state: "ok", what: `running, pid ${daemon.pid}, version ${daemon.version}` };
    case "replace":
      return { check: "daemon", state: "warning", what, fix: '"sylk up" replaces it (the next command does too)' };
    case "warn":
      return { check: "daemon", state: "warning", what, fix: `npm install -g sylk@${daemon.version}` };
    case "refuse":
      return { check: "daemon", state: "problem", what, fix: `npm install -g sylk@${daemon.version}` };
  }
}

function checkStore({ store, troubles }: DaemonStatus): Finding {
  const trouble = troubles.find(({ part }) => part === "store");
  if (trouble === undefined) return { check: "store", state: "ok", what: store.file };
  return { check: "store", state: "problem", what: trouble.what, fix: trouble.fix };
}

function findingsOf(
  { troubles }: DaemonStatus,
  troubled: "home" | "log" | "notifier",
  check: string,
  state: "problem" | "warning" = "problem",
): readonly Finding[] {
  return troubles.filter(({ part }) => part === troubled).map(({ what, fix }) => ({ check, state, what, fix }));
}

function checkPort({ url }: DaemonStatus, wanted: number | undefined): Finding {
  const port = url === null ? undefined : Number(new URL(url).port);
  if (port === undefined || wanted === undefined || wanted === 0 || port === wanted)
    return { check: "port", state: "ok", what: url ?? "TCP is switched off" };
  return {
    check: "port",
    state: "warning",
    what: `${wanted} was taken by another program; the daemon listens on ${port} and keeps it`,
    fix: `set http.port to ${port}; or, for ${wanted}: free it, remove port.json from SYLK_HOME, then sylk down && sylk up`,
  };
}

async function wantedPort({ paths, env }: DoctorTerms): Promise<number | undefined> {
  try {
    const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} });
    return settings["http.enabled"] ? settings["http.port"] : undefined;
  } catch {
    return undefined; // the settings have a finding of their own
  }
}

/** Tried by taking it for a moment: whatever answers there would prove nothing about who it is. */
async function checkFreePort(wanted: number | undefined): Promise<readonly Finding[]> {
  if (wanted === undefined || wanted === 0) return [];
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(wanted, "127.0.0.1", () => resolve(true));
  });
  server.close();
  if (free) return [];
  const what = `${wanted} is taken by another program; the daemon will listen on the next free one`;
  return [{ check: "port", state: "warning", what, fix: `free port ${wanted}, or set http.port` }];
}
