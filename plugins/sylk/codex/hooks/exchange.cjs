"use strict";
// Sylk's stand-in for curl, beside the launcher: standard input to the daemon's socket, its answer to standard output.
const load = require;
const builtIn = {};
((exports, require) => {
"use strict";
// Sylk's client library: built-ins only. Nothing in it grants anything: without a daemon the answer is "unreachable".
const fs = require("node:fs");
const { dirname, join, resolve } = require("node:path");
// What else it needs is loaded where it is needed: a hook waits for every millisecond.

const verdicts = ["allow", "tell", "warn", "deny", "degraded"];
const startEveryS = 30;
const largestLog = 1_040_000;
const mostInSession = 2;
const mostIgnored = 3;
const clientFolders = { "claude-code": ".claude", codex: ".codex", gemini: ".gemini", opencode: ".opencode" };

exports.version = "0.1.0";

/** "absent": Sylk was never set up here, and nothing is asked, written or said. */
exports.status = (home) => (fs.existsSync(join(home, "token")) ? "present" : "absent");

/** What the daemon says of a hook's event; "absent" or "unreachable" where it does not answer. */
exports.check = async (home, { client, event, body, pid, waitMs = 1000 }) => {
  if (exports.status(home) === "absent") return { verdict: "absent", text: "" };
  try {
    const answer = await exports.exchange(socketOf(home), "/v1/hooks/" + client + "/" + event, body, { pid, waitMs });
    const [verdict] = answer.split("\n", 1);
    if (!verdicts.includes(verdict)) return { verdict: "unreachable", text: "the daemon's answer makes no sense" };
    return { verdict, text: answer.slice(verdict.length + 1) };
  } catch (error) {
    return { verdict: "unreachable", text: error.message, isDown: error.code === 7 };
  }
};

/**
 * Starts the daemon as the last one was started; "sylk down" takes these words away, a crash and a reboot do not.
 * "up", "starting" where it takes longer than `waitMs`, or "no": not again within half a minute.
 */
exports.start = async (home, { waitMs }) => {
  const [runtime = "", script = ""] = [exports.guardOf(home, "node"), exports.guardOf(home, "script")];
  if (!fs.existsSync(runtime) || !fs.existsSync(script)) return "no";
  const stamp = join(home, "log", "hook-start");
  const now = Math.floor(Date.now() / 1000);
  if (now - (Number(textOf(stamp)) || 0) < startEveryS) return "no";
  try {
    fs.mkdirSync(dirname(stamp), { recursive: true, mode: 0o700 });
    fs.writeFileSync(stamp, now + "\n", { mode: 0o600 });
  } catch {
    return "no"; // it would be tried at every call
  }
  const env = { ...process.env, SYLK_HOME: home };
  const child = require("node:child_process").spawn(runtime, [script, "up"], { env, stdio: "ignore", detached: true });
  child.unref();
  return new Promise((done) => {
    const timer = setTimeout(() => done("starting"), waitMs);
    const end = (said) => (clearTimeout(timer), done(said));
    child.on("error", () => end("no")).on("exit", (code) => end(code === 0 ? "up" : "no"));
  });
};

/** By hand: Node's own client would cost 15 ms to load. The codes of errors are curl's. */
exports.exchange = (socket, path, body, { pid, waitMs }) =>
  new Promise((done, failed) => {
    const bytes = Buffer.from(body);
    const head = ["POST " + path + " HTTP/1.1", "host: localhost", "connection: close", "sylk-pid: " + String(pid ?? "").replace(/\D/g, "")];
    head.push("content-type: application/octet-stream", "content-length: " + bytes.length, "", "");
    const given = [];
    const fail = (code, message) => {
      clearTimeout(timer);
      call.destroy();
      failed(Object.assign(new Error(message), { code }));
    };
    const call = require("node:net").connect(socket, () => call.write(Buffer.concat([Buffer.from(head.join("\r\n")), bytes])));
    const timer = setTimeout(() => fail(28, "the daemon does not answer in time"), waitMs);
    call.on("data", (part) => given.push(part)).on("error", () => fail(7, "the daemon does not answer at its socket"));
    call.on("end", () => {
      const answer = Buffer.concat(given);
      const start = answer.indexOf("\r\n\r\n") + 4;
      const said = answer.toString("latin1", 0, start);
      if (!said.startsWith("HTTP/1.1 200 ") || start < 4) return fail(22, "the daemon refused the call");
      const length = Number(/^content-length: *(\d+)\r$/im.exec(said)?.[1] ?? 0);
      if (answer.length - start < length) return fail(18, "the daemon's answer ended early");
      clearTimeout(timer);
      done(answer.toString("utf8", start));
    });
  });

/** What the last daemon was set to do when no daemon can be asked. */
exports.guardOf = (home, name) => new RegExp("^" + name + "=(.*)$", "m").exec(textOf(join(home, "guards")))?.[1];

/** One line for the next daemon to count. */
exports.note = (home, { client, event, session, project, cause }) => {
  try {
    const file = join(home, "log", "hook-outcomes.jsonl");
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestLog)
      fs.writeFileSync(file, textOf(file).slice(-largestLog / 2).replace(/^.*\n/, ""), { mode: 0o600 });
    const line = { at: Date.now(), component: "hook/" + client + "/" + event, outcome: "degraded", cause, agentKey: session, project };
    fs.appendFileSync(file, JSON.stringify(line) + "\n", { mode: 0o600 });
  } catch {
    // a home that cannot be written counts nothing
  }
};

/** One line on what this project lacks: once a session, three times at all, and never again once it was there. */
exports.nudge = (home, { integration, session, tree, say = (line) => process.stderr.write(line + "\n") }) => {
  try {
    if (process.env.SYLK_NUDGES === "off" || exports.guardOf(home, "nudges") === "off") return;
    const root = rootOf(tree) ?? tree;
    for (const { companion, isThere, advice } of companionsIn(home, integration, root)) {
      const pair = integration + "." + companion;
      const been = join(home, "nudges", "installed", pair + "." + short(root));
      if (isThere) mark(been);
      else if (!fs.existsSync(been) && isOurs(home, pair, session)) return say("Sylk: " + advice);
    }
  } catch {
    // a home that cannot be written gives no advice
  }
};

/** Marks are files that only one of several processes can make. */
function isOurs(home, pair, session) {
  const ignored = join(home, "nudges", "ignored");
  const shown = join(home, "nudges", "sessions", /^[\w-]{1,100}$/.test(session) ? session : short(session));
  if (fs.existsSync(join(ignored, pair + "." + mostIgnored))) return false;
  return mark(join(shown, pair)) && numbered(join(shown, "shown"), mostInSession) && numbered(join(ignored, pair), mostIgnored);
}

function numbered(file, most) {
  for (let number = 1; number <= most; number++) if (mark(file + "." + number)) return true;
  return false;
}

function mark(file) {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function companionsIn(home, integration, root) {
  const items = installations(home);
  const companions = [];
  if (rootOf(root) !== undefined)
    companions.push({
      companion: "commit-gate",
      isThere: items.some((item) => item.tree === root && item.preCommit) || hookIn(root).includes("sylk-hook"),
      advice: 'commits are not guarded in this repository; "sylk install ' + integration + '" adds the commit gate',
    });
  for (const [client, folder] of Object.entries(clientFolders))
    if (client !== integration && root !== require("node:os").homedir() && fs.existsSync(join(root, folder)))
      companions.push({
        companion: client,
        isThere: items.some((item) => item.client === client && (item.scope === "user" || item.tree === root)),
        advice: "this project has settings for " + client + ', too; "sylk install ' + client + '" guards its sessions',
      });
  return companions;
}

function installations(home) {
  try {
    return JSON.parse(textOf(join(home, "hooks", "installed.json"))).items;
  } catch {
    return []; // nothing is installed, or it cannot be read
  }
}

/** The working tree around a folder; undefined outside of one. */
function rootOf(folder) {
  for (let place = resolve(folder); ; place = dirname(place)) {
    if (fs.existsSync(join(place, ".git"))) return place;
    if (place === dirname(place)) return undefined;
  }
}

function hookIn(root) {
  const linked = /^gitdir: (.*)/.exec(textOf(join(root, ".git")))?.[1];
  const own = linked === undefined ? join(root, ".git") : resolve(root, linked);
  const shared = textOf(join(own, "commondir")).trim();
  return textOf(join(resolve(own, shared || "."), "hooks", "pre-commit"));
}

function socketOf(home) {
  try {
    return String(JSON.parse(textOf(join(home, "daemon.json"))).socket);
  } catch {
    return join(home, "sylk.sock"); // no daemon has said where it listens
  }
}

function short(text) {
  return require("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Empty where it cannot be read. */
function textOf(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
})(builtIn, load);

/** The developer's copy, else the installed one, else the built-in one. */
function openLibrary(home, warn) {
  const ours = { ...builtIn, nudge() {} }; // advice comes from an installed copy alone
  const override = process.env.SYLK_CLIENT_LIBRARY;
  const folder = load("node:path").join(home, "hooks");
  const file = override || load("node:path").join(folder, "sylk-client.cjs");
  if (!override && !load("node:fs").existsSync(file)) return ours;
  try {
    const text = trustedText(file);
    if (!override) checkRecord(load("node:path").join(folder, "sylk-client.json"), text);
    const found = {};
    new Function("exports", "require", text)(found, load);
    const lacking = Object.keys(builtIn).filter((name) => typeof found[name] !== typeof builtIn[name]);
    if (lacking.length > 0) throw new Error("it lacks " + lacking.join(", "));
    if (found.version !== builtIn.version)
      warn("Sylk: this integration is of version " + builtIn.version + " and uses the library of " + found.version + '; "sylk upgrade" or an update of the plugin brings them together');
    return found;
  } catch (error) {
    warn("Sylk: " + file + " is not used (" + error.message + "), but the copy in this integration; " + (override ? "unset or mend SYLK_CLIENT_LIBRARY" : '"sylk upgrade" writes it anew'));
    return ours;
  }
}

/** Only of a plain file that belongs to the user and that no other user may write. */
function trustedText(file) {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = load("node:fs");
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) throw new Error("it is not a plain file");
    if (process.getuid && found.uid !== process.getuid()) throw new Error("it belongs to another user");
    if ((found.mode & 0o022) !== 0) throw new Error("others may write it");
    return readFileSync(opened, "utf8");
  } finally {
    closeSync(opened);
  }
}

function checkRecord(file, text) {
  const { version, sha256 } = recordIn(file);
  if (load("node:crypto").createHash("sha256").update(text).digest("hex") !== sha256) throw new Error("its checksum is not the recorded one");
  if (isOlder(version, builtIn.version)) throw new Error("it is of version " + version + ", older than " + builtIn.version);
}

function recordIn(file) {
  try {
    const { version, sha256 } = JSON.parse(trustedText(file));
    return { version: String(version), sha256 };
  } catch (error) {
    throw new Error("no checksum can be found for it: " + error.message);
  }
}

function isOlder(one, other) {
  const [ours, theirs] = [one, other].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  const at = [0, 1, 2].find((index) => (ours[index] ?? 0) !== (theirs[index] ?? 0));
  return at !== undefined && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

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
    return trustedText(home + "/hooks/sylk-client.json") === "{\"version\":\"0.1.0\",\"sha256\":\"5c78f2a0e7956753531824fc9a9cfbe810ef3d20848bebd6a9539bbbe6063487\"}\n";
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
