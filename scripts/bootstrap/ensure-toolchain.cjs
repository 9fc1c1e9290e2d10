"use strict";
/**
 * Brings node_modules in line with package-lock.json and puts the pinned Node into it.
 *
 * `npm ci --ignore-scripts` then `npm rebuild node`: with scripts on, npm would compile better-sqlite3 instead of
 * using the binaries it carries. A plain `npm ci` or `npm install` by hand is recognised and not repeated.
 */
const { execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { runStep } = require("./run-step.cjs");

const STAMP = "node_modules/.sylk-setup";
const WAY_OUT =
  "Check the network and the npm registry settings (`npm ping`), then run the command again; " +
  "if it persists, delete node_modules first.";

function pinnedNode(root) {
  return path.join(root, "node_modules", "node", "bin", "node");
}

/** Cheap: two small reads and a hash. The slow proof was made when the stamp was written. */
function isToolchainReady(root) {
  return readText(path.join(root, STAMP)) === expectedStamp(root) && fs.existsSync(pinnedNode(root));
}

/** `onStart` is told the process id of every npm that is started. */
async function ensureToolchain(root, onStart) {
  if (isToolchainReady(root)) return; // another bootstrap finished while we waited for the lock
  const stamp = path.join(root, STAMP);
  fs.rmSync(stamp, { force: true });

  if (!isInstalledAsLocked(root)) {
    await runNpm(root, "installing dependencies", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], onStart);
  }
  if (!hasPinnedNode(root)) {
    await runNpm(root, `installing Node ${pinnedVersion(root)} for this folder`, ["rebuild", "node"], onStart);
  }
  if (!hasPinnedNode(root)) {
    throw new Error(`Node ${pinnedVersion(root)} is not at ${pinnedNode(root)} after the installation. ${WAY_OUT}`);
  }
  fs.writeFileSync(stamp, expectedStamp(root));
}

function runNpm(root, title, args, onStart) {
  // npm_execpath is the npm that runs us; only a bare `node scripts/bootstrap.cjs` has to search for one.
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  return runStep(title, program, [...first, ...args], { cwd: root, onStart, wayOut: WAY_OUT });
}

function expectedStamp(root) {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"));
  const place = `${pinnedVersion(root)} ${process.platform} ${process.arch}`;
  return createHash("sha256").update(lock).update(place).digest("hex");
}

function pinnedVersion(root) {
  return JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).devDependencies.node;
}

function hasPinnedNode(root) {
  try {
    const version = execFileSync(pinnedNode(root), ["--version"], { encoding: "utf8" });
    return version.trim() === `v${pinnedVersion(root)}`;
  } catch {
    return false;
  }
}

/** npm writes node_modules/.package-lock.json last, so it describes a complete tree or is missing. */
function isInstalledAsLocked(root) {
  const installed = readPackages(path.join(root, "node_modules", ".package-lock.json"));
  const locked = readPackages(path.join(root, "package-lock.json"));
  if (!installed || !locked) return false;
  return Object.entries(locked).every(([name, entry]) => {
    if (name === "") return true;
    const found = installed[name];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(file) {
  const text = readText(file);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

function readText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

module.exports = { ensureToolchain, isToolchainReady, pinnedNode };
