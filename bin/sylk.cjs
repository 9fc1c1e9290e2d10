#!/usr/bin/env node
"use strict";
/*
 * The `sylk` command: checks the Node version, then loads dist/main.mjs (or the status line) in this process, re-executes
 * with the pinned Node, or says what to install. ES5 and built-ins only: it must run where nothing else does.
 */
var fs = require("fs");
var path = require("path");

var UNAVAILABLE = 7; // the exit code of the error family "unavailable"
var GUARD = "SYLK_REEXECUTED"; // set for the child, so that a wrong "pinned" Node cannot loop

var root = path.join(__dirname, "..");
var required = require("../package.json").engines.node.replace(/[^0-9.]/g, "");
var main = path.join(root, "dist", "main.mjs");
// A client starts the status line at every turn: bare, it has a program of its own that loads nothing else.
var isStatusline = process.argv.length === 3 && process.argv[2] === "statusline";

if (!fs.existsSync(main)) {
  fail("the program is not built: " + main + " is missing. Run `npm run build` in " + root + ".");
} else if (isAtLeast(process.versions.node, required)) {
  delete process.env[GUARD];
  if (isStatusline) require("../dist/statusline.cjs");
  else void require("./load-main.cjs")(main); // a failure to load ends the process with its stack
} else {
  reExecute();
}

function reExecute() {
  var pinned = findPinnedNode(root);
  if (!pinned || process.env[GUARD]) {
    fail(
      "Node " +
        required +
        " or newer is needed, this is " +
        process.versions.node +
        ".\n" +
        "Install it from https://nodejs.org (or with your version manager) and run the command again."
    );
    return;
  }
  process.env[GUARD] = "1";
  require("./hand-over.cjs")(pinned, [__filename].concat(process.argv.slice(2)), { failureCode: UNAVAILABLE });
}

/** The repository and a project that depends on Sylk may both carry the npm package `node`. */
function findPinnedNode(from) {
  var folder = from;
  for (;;) {
    var candidate = path.join(folder, "node_modules", "node", "bin", "node");
    if (fs.existsSync(candidate)) return candidate;
    var parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function isAtLeast(version, minimum) {
  var have = version.split(".");
  var want = minimum.split(".");
  for (var i = 0; i < want.length; i += 1) {
    var difference = Number(have[i] || 0) - Number(want[i]);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function fail(message) {
  console.error("sylk: " + message);
  process.exitCode = UNAVAILABLE;
}
