/** The checks of `sylk doctor`: each says what it found and, where a user can fix it, how. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { consentsIn, InvalidSettings, type ProjectFile, resolveSettings } from "../../platform/config/index.ts";
import { readDaemonRecord } from "../../platform/home/index.ts";
import { readTail } from "../../platform/log/index.ts";
import { checkEnforcement } from "./check-enforcement.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkQuarantine } from "./check-quarantine.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { checkDaemon } from "./examine-daemon.ts";
import { checkData } from "./examine-data.ts";
import { checkRecords } from "./examine-records.ts";
import type { Finding, DoctorTerms } from "./finding.ts";
import { makeHomeFix, whyHomeCannotBeMade } from "./home-trouble.ts";
import { treeRoot } from "./repository-path.ts";

const lowDiskBytes = 200 * 1_048_576;

export async function examine(terms: DoctorTerms): Promise<readonly Finding[]> {
  const home = checkHome(terms);
  // What is in it cannot be looked at either.
  if (home.state === "problem") return [home];
  return [
    home,
    checkDisk(terms),
    checkToken(terms),
    await checkSettings(terms),
    ...(await checkDaemon(terms)),
    ...(await checkRecords(terms)),
    await checkData(terms),
    checkLog(terms),
    await checkHooks(terms),
    await checkEnforcement(terms),
    await checkSandbox(terms),
    checkQuarantine({ cwd: terms.cwd, home: terms.paths.home }),
  ];
}

function checkHome({ paths: { home } }: DoctorTerms): Finding {
  if (!existsSync(home)) return checkAbsentHome(home);
  const { mode, uid } = statSync(home);
  if (process.getuid !== undefined && uid !== process.getuid())
    return {
      check: "home",
      state: "problem",
      what: `${home} belongs to another user (uid ${uid})`,
      fix: `chown -R $(id -u) ${home}, or set SYLK_HOME`,
    };
  const refused = whyNotWritable(home);
  if (refused !== undefined)
    return {
      check: "home",
      state: "problem",
      what: refused === "EROFS" ? `${home} is on a read-only file system` : `${home} cannot be written by this user`,
      fix: `${refused === "EROFS" ? "mount it writable" : `chmod u+rwx ${home}`}, or set SYLK_HOME`,
    };
  if ((mode & 0o002) !== 0)
    return {
      check: "home",
      state: "problem",
      what: `every user may write in ${home}`,
      fix: `chmod 700 ${home}, or set SYLK_HOME`,
    };
  if ((mode & 0o077) !== 0) {
    const fix = `chmod 700 ${home} (the daemon's next start does it too)`;
    return { check: "home", state: "warning", what: `${home} can be read by other users`, fix };
  }
  return { check: "home", state: "ok", what: home };
}

function checkAbsentHome(home: string): Finding {
  const why = whyHomeCannotBeMade(home);
  return why === undefined
    ? { check: "home", state: "ok", what: `the first command that needs ${home} creates it` }
    : { check: "home", state: "problem", what: `${home} cannot be made: ${why}`, fix: makeHomeFix };
}

function whyNotWritable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  }
}

function checkDisk({ paths: { home } }: DoctorTerms): Finding {
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : "/");
  const free = bavail * bsize;
  const what = `${Math.round(free / 1_048_576)} MB free`;
  return free < lowDiskBytes
    ? { check: "disk", state: "problem", what, fix: "free some space; changes are refused when the disk is full" }
    : { check: "disk", state: "ok", what };
}

function checkToken({ paths: { token } }: DoctorTerms): Finding {
  if (!existsSync(token)) return { check: "token", state: "ok", what: "the daemon's first start creates it" };
  const open = (statSync(token).mode & 0o077) !== 0;
  return open
    ? { check: "token", state: "problem", what: `${token} can be read by other users`, fix: `chmod 600 ${token}` }
    : { check: "token", state: "ok", what: token };
}

async function checkSettings({ paths, env, cwd }: DoctorTerms): Promise<Finding> {
  try {
    const { warnings: found, project } = await resolveSettings({
      userFile: paths.config,
      projectFile: join(treeRoot(cwd), ".sylk", "config.yaml"),
      env,
      flags: {},
      consents: consentsIn(paths.trustedSettings),
    });
    const loosened =
      project?.isTrusted === true && project.loosenings.length > 0
        ? [{ where: project.file, message: loosenedText(project) }]
        : [];
    const warnings = [...found, ...loosened];
    if (warnings.length === 0) return { check: "settings", state: "ok", what: 'valid; "sylk config show" lists them' };
    return { check: "settings", state: "warning", what: warnings.map(({ message }) => message).join("; ") };
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return {
      check: "settings",
      state: "problem",
      what: error.message.replaceAll("\n", "; "),
      fix: "correct the named value",
    };
  }
}

function loosenedText({ file, loosenings }: ProjectFile): string {
  const names = loosenings.map(({ key, wanted }) => `${key} = ${String(wanted)}`).join(", ");
  return `with your consent ${file} loosens ${names} ("sylk config distrust" takes it back)`;
}

function checkLog({ paths }: DoctorTerms): Finding {
  const record = readDaemonRecord(paths.record);
  const lines = lastLines(paths.logs);
  if (lines === undefined)
    return {
      check: "log",
      state: "warning",
      what: `${paths.logs} cannot be read`,
      fix: `check what is at ${paths.logs}`,
    };
  const errors = lines.filter((line) => line.includes('"level":"error"'));
  if (errors.length === 0)
    return { check: "log", state: "ok", what: record === undefined ? "no errors" : "no errors in the last 500 lines" };
  return {
    check: "log",
    state: "warning",
    what: `${errors.length} errors in the last 500 lines`,
    fix: '"sylk logs" shows them',
  };
}

/** Undefined where something else is at the log's place. */
function lastLines(logs: string): readonly string[] | undefined {
  try {
    return readTail(logs, 500);
  } catch {
    return undefined;
  }
}
