"use strict";
/**
 * Runs one child process of the setup with visible progress and keeps its output for the case that it fails.
 *
 * A terminal gets one animated line; anything else gets a line at the start, one every ten seconds and one at the end.
 */
const { spawn } = require("node:child_process");

const FRAMES = ["-", "\\", "|", "/"];
const HEARTBEAT_MS = 10_000;

/**
 * `onStart` learns the child's process id. `quietUnderMs`: say nothing about a step that ends sooner. `wayOut`: what
 * the user can do when it fails.
 */
function runStep(title, program, args, { cwd, onStart, quietUnderMs = 0, wayOut }) {
  const progress = showProgress(title, quietUnderMs);
  return new Promise((resolve, reject) => {
    const output = [];
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    if (child.pid !== undefined) onStart?.(child.pid);
    const stop = (signal) => child.kill(signal);
    process.on("SIGINT", stop).on("SIGTERM", stop);
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", (error) => settle(`cannot run ${program}: ${error.message}`));
    child.on("close", (code, signal) => settle(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`));

    function settle(problem) {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      progress.end(problem === undefined);
      if (problem === undefined) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new Error(`${title}: ${problem}. ${wayOut}`));
    }
  });
}

function showProgress(title, quietUnderMs) {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(0);
  const animated = process.stderr.isTTY === true;
  let frame = 0;
  let shown = quietUnderMs === 0;

  if (shown && !animated) console.error(`[setup] ${title} ...`);
  const timer = setInterval(
    () => {
      if (Date.now() - startedAt < quietUnderMs) return;
      shown = true;
      if (animated) process.stderr.write(`\r${FRAMES[frame++ % FRAMES.length]} ${title} (${seconds()} s) `);
      else console.error(`[setup] ${title}: ${seconds()} s so far`);
    },
    animated ? 120 : HEARTBEAT_MS,
  );

  return {
    end(succeeded) {
      clearInterval(timer);
      if (succeeded && !shown) return;
      if (animated) process.stderr.write("\r\u001b[K");
      console.error(`[setup] ${title}: ${succeeded ? "done" : "failed"} after ${seconds()} s`);
    },
  };
}

module.exports = { runStep };
