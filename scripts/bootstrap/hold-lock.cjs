"use strict";
/**
 * One setup per checkout: a lock file that names its owner, taken over when that process is gone. An npm whose
 * bootstrap was killed goes on writing, so the lock names the running child too.
 *
 * The file is linked into place with its content, so nobody ever sees a lock without an owner.
 */
const fs = require("node:fs");
const path = require("node:path");

const POLL_MS = 250;

/** Resolves when the lock is ours. `onWait` is called once, with the owner's process id. */
async function holdLock(file, onWait) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let announced = false;
  while (!tryLock(file)) {
    const owner = readOwner(file);
    if (owner !== undefined && !isAlive(owner)) takeOver(file);
    else {
      if (!announced && owner !== undefined) onWait(owner.pid);
      announced ||= owner !== undefined;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  return {
    shareWith: (pid) => replaceFile(file, { ...describe(process.pid), child: describe(pid) }),
    release: () => fs.rmSync(file, { force: true }),
  };
}

function tryLock(file) {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(describe(process.pid)));
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/**
 * Two waiters may find the same dead owner. Only the one that holds the second lock removes the file, after looking
 * again: without it the slower one would remove the faster one's fresh lock.
 */
function takeOver(file) {
  const guard = `${file}.takeover`;
  if (!tryLock(guard)) {
    const holder = readOwner(guard);
    if (holder !== undefined && !isAlive(holder)) fs.rmSync(guard, { force: true });
    return;
  }
  try {
    const owner = readOwner(file);
    if (owner !== undefined && !isAlive(owner)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

function readOwner(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    return { pid: 0 }; // unreadable: nobody of ours wrote it
  }
}

function replaceFile(file, content) {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(content));
  fs.renameSync(draft, file);
}

function describe(pid) {
  return { pid, startedAt: startTime(pid) };
}

function isAlive({ pid, startedAt, child }) {
  if (child !== undefined && isAlive(child)) return true;
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  // The number may have been given to another process since; where the start time can be read, it decides.
  const now = startTime(pid);
  return now === undefined || startedAt === undefined || now === startedAt;
}

/** Start time of a process in clock ticks since boot; Linux only, unknown elsewhere. */
function startTime(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

module.exports = { holdLock };
