"use strict";
// Sylk's stand-in for curl, beside the launcher: standard input to the daemon's socket, its answer to standard output.
const load = require;
__LOADER_TEXT__

const warn = (line) => process.stderr.write(line + "\n");
const [first, ...rest] = process.argv.slice(2);
if (first === "nudge") nudge(...rest);
else pass(first, ...rest);

function nudge(home, integration, session, tree) {
  openLibrary(home, warn).nudge(home, { integration, session, tree });
}

function pass(socket, path, seconds, pid, home) {
  const isStart = path.endsWith("/SessionStart"); // once a session is enough for a warning
  const library = !isStart && isBuiltInInstalled(home) ? builtIn : openLibrary(home, isStart ? warn : () => {});
  read((body) => {
    library.exchange(socket, path, body, { pid, waitMs: Number(seconds) * 1000 }).then(write, (error) => process.exit(error.code ?? 1));
  });
}

/** Then there is nothing to hand over to: what was installed is byte for byte the copy in here. */
function isBuiltInInstalled(home) {
  if (process.env.SYLK_CLIENT_LIBRARY) return false;
  try {
    return trustedText(home + "/hooks/__RECORD_FILE__") === __RECORD_TEXT__;
  } catch {
    return false;
  }
}

/** Blocking, as curl reads; where the client made it non-blocking, as a stream. */
function read(done) {
  const parts = [];
  const whole = () => done(Buffer.concat(parts));
  try {
    for (let size = -1; size !== 0; ) {
      const part = Buffer.allocUnsafe(65536);
      size = load("node:fs").readSync(0, part);
      parts.push(part.subarray(0, size));
    }
  } catch (error) {
    if (error.code !== "EAGAIN") process.exit(26);
    return process.stdin.on("data", (part) => parts.push(part)).on("end", whole).on("error", () => process.exit(26));
  }
  whole();
}

function write(answer) {
  let left = Buffer.from(answer);
  try {
    while (left.length > 0) left = left.subarray(load("node:fs").writeSync(1, left));
  } catch (error) {
    if (error.code !== "EAGAIN") process.exit(23);
    process.stdout.write(left);
  }
}
