"use strict";
/*
 * Runs a program in this process's place: same streams, same exit code, same signals.
 * Written in ES5 because it is what an unsupported Node executes before the pinned one takes over.
 */
var spawn = require("child_process").spawn;

var FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

module.exports = function handOver(program, args, options) {
  var child = spawn(program, args, { stdio: "inherit", env: options.env || process.env, cwd: options.cwd });
  var handlers = {};

  FORWARDED.forEach(function (signal) {
    handlers[signal] = function () {
      // A terminal sends Ctrl-C to the whole process group: forwarding would deliver it twice.
      var sentByTerminal = process.stdin.isTTY && (signal === "SIGINT" || signal === "SIGQUIT");
      if (!sentByTerminal) child.kill(signal);
    };
    process.on(signal, handlers[signal]);
  });

  child.on("error", function (error) {
    console.error("sylk: cannot run " + program + ": " + error.message);
    process.exit(options.failureCode || 1);
  });
  child.on("exit", function (code, signal) {
    FORWARDED.forEach(function (name) {
      process.removeListener(name, handlers[name]);
    });
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
};
