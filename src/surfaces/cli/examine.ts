/** What `sylk doctor` looks at: each check says what it found and, where a user can mend it, how. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { InvalidSettings, resolveSettings } from "../../platform/config/index.ts";
import { readDaemonRecord, type HomePaths } from "../../platform/home/index.ts";
import { readTail } from "../../platform/log/index.ts";
import { version } from "../../platform/version.ts";
import { checkQuarantine } from "./check-quarantine.ts";
import { askStatus } from "./commands/status.ts";
import { treeRoot } from "./repository-path.ts";

export type Finding = {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly what: string;
  readonly fix?: string;
};
type Terms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

const lowDiskBytes = 200 * 1_048_576;

export async function examine(terms: Terms): Promise<readonly Finding[]> {
  const home = checkHome(terms);
  // What is in it cannot be looked at either.
  if (home.state === "problem") return [home];
  return [
    home,
    checkDisk(terms),
    checkToken(terms),
    await checkSettings(terms),
    ...(await checkDaemon(terms)),
    checkLog(terms),
    checkQuarantine({ cwd: terms.cwd, home: terms.paths.home }),
  ];
}

function checkHome({ paths: { home } }: Terms): Finding {
  if (!existsSync(home))
    return { check: "home", state: "ok", what: `${home} will be made by the first command that needs it` };
  const { mode, uid } = statSync(home);
  if (process.getuid !== undefined && uid !== process.getuid())
    return {
      check: "home",
      state: "problem",
      what: `${home} belongs to another user (uid ${uid})`,
      fix: `chown -R $(id -u) ${home}, or set SYLK_HOME`,
    };
  if (!isWritable(home))
    return {
      check: "home",
      state: "problem",
      what: `${home} cannot be written by this user`,
      fix: `chmod u+rwx ${home}, or set SYLK_HOME`,
    };
  if ((mode & 0o077) !== 0)
    return { check: "home", state: "warning", what: `${home} can be read by other users`, fix: `chmod 700 ${home}` };
  return { check: "home", state: "ok", what: home };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // why not makes no difference to the finding
  }
}

function checkDisk({ paths: { home } }: Terms): Finding {
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : "/");
  const free = bavail * bsize;
  const what = `${Math.round(free / 1_048_576)} MB free`;
  return free < lowDiskBytes
    ? { check: "disk", state: "problem", what, fix: "free some space; changes are refused when the disk is full" }
    : { check: "disk", state: "ok", what };
}

function checkToken({ paths: { token } }: Terms): Finding {
  if (!existsSync(token)) return { check: "token", state: "ok", what: "will be made by the daemon's first start" };
  const open = (statSync(token).mode & 0o077) !== 0;
  return open
    ? { check: "token", state: "problem", what: `${token} can be read by other users`, fix: `chmod 600 ${token}` }
    : { check: "token", state: "ok", what: token };
}

async function checkSettings({ paths, env, cwd }: Terms): Promise<Finding> {
  try {
    const { warnings } = await resolveSettings({
      userFile: paths.config,
      projectFile: join(treeRoot(cwd), ".sylk", "config.yaml"),
      env,
      flags: {},
    });
    if (warnings.length === 0) return { check: "settings", state: "ok", what: 'valid; "sylk config show" lists them' };
    return { check: "settings", state: "warning", what: warnings.map(({ message }) => message).join("; ") };
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return {
      check: "settings",
      state: "problem",
      what: error.message.replaceAll("\n", "; "),
      fix: "correct the value named",
    };
  }
}

async function checkDaemon({ paths, env }: Terms): Promise<readonly Finding[]> {
  const found = await askStatus(paths);
  if (!found.running) {
    const stale = existsSync(paths.socket);
    const what = stale ? `a socket is left at ${paths.socket}, but nobody answers (${found.reason})` : "not running";
    return [{ check: "daemon", state: "warning", what, fix: '"sylk up" starts it (any other command does too)' }];
  }
  const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} }).catch(() => ({
    settings: undefined,
  }));
  const wanted = settings?.["http.port"];
  const port = found.url === null ? undefined : Number(new URL(found.url).port);
  return [
    found.version === version
      ? { check: "daemon", state: "ok", what: `running, pid ${found.pid}, version ${found.version}` }
      : {
          check: "daemon",
          state: "warning",
          what: `runs version ${found.version}, this command is ${version}`,
          fix: "sylk down && sylk up",
        },
    found.store.state === "ok"
      ? { check: "store", state: "ok", what: found.store.file }
      : {
          check: "store",
          state: "problem",
          what: found.store.reason ?? "unavailable",
          fix: "free disk space or check the disk",
        },
    port === undefined || wanted === undefined || wanted === 0 || port === wanted
      ? { check: "port", state: "ok", what: found.url ?? "TCP is switched off" }
      : {
          check: "port",
          state: "warning",
          what: `${wanted} is taken by another program; the daemon listens on ${port}`,
          fix: `free port ${wanted}, or set http.port, then sylk down && sylk up`,
        },
  ];
}

function checkLog({ paths }: Terms): Finding {
  const record = readDaemonRecord(paths.record);
  const errors = readTail(paths.logs, 500).filter((line) => line.includes('"level":"error"'));
  if (errors.length === 0)
    return { check: "log", state: "ok", what: record === undefined ? "no errors" : "no errors in the last 500 lines" };
  return {
    check: "log",
    state: "warning",
    what: `${errors.length} errors in the last 500 lines`,
    fix: '"sylk logs" shows them',
  };
}
