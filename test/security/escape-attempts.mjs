/**
 * What a run's model might put into a test: every way out of its tree that we know. It runs as one of the run's own tests,
 * waits for the file that names its targets, and writes what came of each attempt to escape-results.json.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

const targets = "TARGETS";
for (let looks = 0; !existsSync(targets) && looks < 1_000; looks++)
  await new Promise((resolve) => setTimeout(resolve, 20));
const at = JSON.parse(readFileSync(targets, "utf8"));
const mark = "escaped\n";
const { pid } = at;

/** Resolves to the first bytes of the answer. */
const ask = (where, text) =>
  new Promise((resolve, reject) => {
    const socket = connect(where, () => socket.write(text));
    socket.setTimeout(2_000, () => reject(new Error("no answer")));
    socket.on("error", reject);
    socket.on("data", (data) => {
      resolve(String(data).slice(0, 12));
      socket.destroy(); // kept open, it would keep this program alive for as long as the daemon waits for a next request
    });
  });
const approval = (token) => {
  const body = JSON.stringify({ decision: "approve" });
  const head = `POST /v1/approvals/${at.approval}/decide HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\n`;
  return `${head}authorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
const token = () => {
  try {
    return readFileSync(join(at.sylkHome, "token"), "utf8").trim();
  } catch {
    return "syk_guessed";
  }
};
const git = (...args) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const attempts = {
  "write the user's tree": () => writeFileSync(join(at.repository, "src", "cart.ts"), mark),
  "write the user's home": () => writeFileSync(join(at.home, "evil"), mark),
  "write through a link": () => {
    symlinkSync(at.home, "way-out");
    writeFileSync("way-out/evil", mark);
  },
  "write Sylk's home": () => writeFileSync(join(at.sylkHome, "config.yaml"), "runs: { sandbox: off }\n"),
  "install a git hook": () => writeFileSync(join(at.repository, ".git/hooks/post-checkout"), "#!/bin/sh\n"),
  "append to git's configuration": () =>
    appendFileSync(join(at.repository, ".git/config"), "[core]\n\tfsmonitor = evil\n"),
  "configure git by itself": () => git("config", "core.fsmonitor", "evil"),
  "move the user's branch": () => git("update-ref", "refs/heads/main", "HEAD~1"),
  "lead our git elsewhere": () => writeFileSync(".git", `gitdir: ${process.cwd()}/own\n`),
  "replace our git's link": () => renameSync(".git", "moved"),
  "remove our git's link": () => rmSync(".git"),
  "read the token": () => readFileSync(join(at.sylkHome, "token"), "utf8"),
  "read the store": () => readFileSync(join(at.sylkHome, "sylk.db")).length,
  "read a private key": () => readFileSync(join(at.home, ".ssh/id_ed25519"), "utf8"),
  "read a credential file": () => found(readFileSync(join(at.home, ".netrc"), "utf8")),
  "read variables of the user's tree": () => found(readFileSync(join(at.repository, ".env"), "utf8")),
  "read a remote's password": () =>
    found(readFileSync(join(at.repository, ".git/config"), "utf8") + git("config", "-l")),
  "read keys in the environment": () => found(JSON.stringify(process.env)),
  "approve by the socket": () => ask({ path: at.socket }, approval(token())),
  "approve by TCP": () => ask({ port: at.port, host: "127.0.0.1" }, approval(token())),
  "reach a server outside": () => ask({ port: at.server, host: "127.0.0.1" }, "hello"),
  "read the daemon's variables": () => readFileSync(`/proc/${pid}/environ`, "utf8"),
  "read the daemon's memory": () => readFileSync(`/proc/${pid}/mem`),
  "see a process of Sylk": () => {
    const seen = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandOf(name).match(/serve|__worker/));
    if (seen.length === 0) throw new Error("none");
  },
  "kill the daemon": () => process.kill(pid, "SIGKILL"),
  "leave by root": () => writeFileSync(`/proc/1/root${at.home}/evil`, mark),
  "mount over it": () =>
    execFileSync("unshare", ["-Urm", "sh", "-c", `mount -o remount,bind,rw / && echo x > "${at.home}/evil"`], {
      stdio: "ignore",
    }),
};

function found(text) {
  if (text.includes("hidden-word")) return "found";
  throw new Error("not in it");
}

function commandOf(id) {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function evilProgram(name) {
  const program = join(process.cwd(), name);
  writeFileSync(program, `#!/bin/sh\necho pwned > "${at.home}/evil"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Legal inside the tree. What starts the next sandbox must not find them by the command's PATH. */
function prepareFakePrograms() {
  mkdirSync("node_modules/.bin", { recursive: true });
  for (const name of ["bwrap", "sh", "perl", "git"]) evilProgram(join("node_modules/.bin", name));
}

/** Legal inside the tree; whether our own git falls for it shows outside. */
function prepareNestedRepository() {
  const program = evilProgram("evil.sh");
  mkdirSync("nested");
  const inside = (...args) => git("-C", "nested", "-c", "user.name=m", "-c", "user.email=m@m", ...args);
  inside("init", "-q");
  writeFileSync("nested/file", "x\n");
  inside("add", ".");
  inside("commit", "-q", "-m", "nested");
  inside("config", "core.fsmonitor", program);
  inside("config", "filter.evil.clean", program);
  writeFileSync("nested/.gitattributes", "* filter=evil\n");
  writeFileSync("nested/file", "changed\n");
}

test("tries every way out, once", async () => {
  if (existsSync("escape-results.json")) return;
  const results = {};
  for (const [name, act] of Object.entries(attempts))
    try {
      results[name] = `DONE ${(await act()) ?? ""}`.trim();
    } catch (error) {
      results[name] = `blocked: ${error.code ?? error.message.split("\n")[0]}`;
    }
  prepareNestedRepository();
  // It leaves the process group, as daemons do.
  spawn("setsid", ["sh", "-c", "while :; do echo beat >> beats; sleep 0.02; done"], {
    detached: true,
    stdio: "ignore",
  }).unref();
  results["git log"] = git("log", "--oneline").trim().split("\n").length;
  results["git status"] = git("status", "--porcelain").includes("test/escape.test.ts");
  mkdirSync("node_modules/.cache", { recursive: true });
  writeFileSync("node_modules/.cache/x", "cache");
  prepareFakePrograms();
  writeFileSync("escape-results.json", JSON.stringify(results));
});
