/**
 * The program that opencode loads into its own process. It speaks to the daemon's socket over a connection that stays open,
 * waits at most one second for an answer, and keeps its own faults to itself: only a denial reaches the tool.
 *
 *   tool.execute.before -> POST /v1/hooks/opencode/tool -> "<verdict>\n<text>" -> throw on deny
 *   chat.message        -> mail, into the system prompt of this turn -> session.idle: it was shown
 *
 * Mail never starts a turn: a prompt of ours at the end of one could keep two sessions writing to each other for ever.
 *
 * `home` undefined: looked up at each start, so that the text is the same on every machine.
 */
export function opencodePlugin(home: string | undefined): string {
  const place = home === undefined ? 'process.env.SYLK_HOME || join(homedir(), ".sylk")' : JSON.stringify(home);
  return `// Sylk's plugin for opencode, written by "sylk install opencode"; "sylk uninstall opencode" removes it.
// It asks Sylk's daemon before a tool writes a file. Where Sylk was never set up it does nothing.
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const home = ${place};
const waitMs = 1000;
const largestLog = 1_040_000;
const writers = new Set(["write", "edit", "multiedit", "bash", "patch", "apply_patch"]);
const connections = new Agent({ keepAlive: true });

class Denied extends Error {}

export const Sylk = async ({ directory, client }) => {
  const parents = new Map();
  const lines = new Map();
  const mail = new Map();
  const news = new Map();

  const send = async (event, session, more = {}) => {
    if (!existsSync(join(home, "token"))) return { verdict: "allow", text: "" };
    const parent = parents.get(session);
    const who = parent === undefined ? { session_id: session } : { session_id: session, parent_id: parent };
    try {
      const answer = await ask(event, JSON.stringify({ ...who, cwd: directory, ...more }));
      const [verdict] = answer.split("\\n", 1);
      const text = answer.slice(verdict.length + 1);
      if (verdict === "warn" || verdict === "degraded") tell(text);
      return { verdict, text };
    } catch (error) {
      note(event, session, directory, error.message);
      return { verdict: "unreachable", text: error.message };
    }
  };
  const tell = (message) => {
    try {
      void client?.app?.log?.({ body: { service: "sylk", level: "warn", message } })?.catch?.(() => {});
    } catch {
      // nobody to tell
    }
  };
  const begin = async (session) => {
    if (lines.has(session)) return;
    lines.set(session, "");
    const { verdict, text } = await send("start", session);
    if (verdict === "tell") lines.set(session, text);
    if (verdict === "unreachable")
      lines.set(session, "Sylk: who else is here is unknown: " + text + ". Edits are not guarded until the daemon runs (sylk up).");
  };
  const collect = async (session) => {
    mail.delete(session);
    if (parents.has(session)) return;
    const { verdict, text } = await send("message", session);
    if (verdict === "tell") mail.set(session, { text, shown: false });
  };
  const rest = async (session) => {
    const { shown = false } = mail.get(session) ?? {};
    mail.delete(session);
    await send("idle", session, shown ? { shown } : {});
  };
  const guard = async (tool, session, { command, workdir, patchText, filePath } = {}) => {
    if (!writers.has(tool)) return;
    const { verdict, text } = await send("tool", session, { tool, args: { command, workdir, patchText, filePath } });
    if (verdict === "deny") throw new Denied(text);
    if (verdict === "tell") news.set(session, text);
    if (verdict === "unreachable" && guardOf("edit") === "fail-closed")
      throw new Denied("Sylk: stopped, because nobody can be asked who holds this file: " + text + ' (guard.edit is fail-closed). Start the daemon with "sylk up"');
  };

  return {
    config: quietly(async (config) => {
      if (existsSync(join(home, "token")) && isOnPath("sylk"))
        config.mcp = { sylk: { type: "local", command: ["sylk", "mcp"], environment: { SYLK_HOME: home } }, ...config.mcp };
    }),
    "chat.message": quietly(async ({ sessionID }) => {
      await begin(sessionID);
      await collect(sessionID);
    }),
    "experimental.chat.system.transform": quietly(async ({ sessionID }, output) => {
      const line = lines.get(sessionID);
      if (line) output.system.push(line);
      if (news.has(sessionID)) output.system.push(news.get(sessionID));
      news.delete(sessionID);
      const letters = mail.get(sessionID);
      if (letters === undefined) return;
      output.system.push(letters.text);
      letters.shown = true;
    }),
    "tool.execute.before": quietly(({ tool, sessionID }, { args }) => guard(tool, sessionID, args)),
    "shell.env": quietly(async ({ sessionID }, output) => {
      if (typeof sessionID === "string") output.env.SYLK_OPENCODE_SESSION = sessionID;
    }),
    event: quietly(async ({ event: { type, properties } }) => {
      if (type === "session.created" && properties.info.parentID) parents.set(properties.info.id, properties.info.parentID);
      if (type === "session.idle") await rest(properties.sessionID);
      if (type === "session.deleted") await send("end", properties.info.id);
    }),
    dispose: quietly(async () => {
      await Promise.all([...lines.keys()].map((session) => send("end", session)));
      connections.destroy();
    }),
  };
};

/** A fault of ours is never one of the tool. */
function quietly(act) {
  return async (...given) => {
    try {
      await act(...given);
    } catch (error) {
      if (error instanceof Denied) throw new Error(error.message);
    }
  };
}

function ask(event, body) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the daemon does not answer in time")), waitMs);
  });
  return Promise.race([exchange(event, body), late]).finally(() => clearTimeout(timer));
}

function exchange(event, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/octet-stream", "content-length": Buffer.byteLength(body), "sylk-pid": process.pid };
    const path = "/v1/hooks/opencode/" + event;
    const call = request({ socketPath: socketOf(), path, method: "POST", headers, agent: connections, timeout: waitMs });
    call.on("timeout", () => call.destroy());
    call.on("error", () => reject(new Error("the daemon does not answer at its socket")));
    call.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part)).on("error", reject);
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error("the daemon refused the call"))));
    });
    call.end(body);
  });
}

function socketOf() {
  try {
    return JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")).socket;
  } catch {
    return join(home, "sylk.sock"); // no daemon has said where it listens
  }
}

/** One line for the next daemon to count. */
function note(event, session, project, cause) {
  try {
    const file = join(home, "log", "hook-outcomes.jsonl");
    mkdirSync(join(home, "log"), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestLog)
      writeFileSync(file, readFileSync(file, "utf8").slice(-largestLog / 2).replace(/^.*\\n/, ""), { mode: 0o600 });
    const line = { at: Date.now(), component: "hook/opencode/" + event, outcome: "degraded", cause, agentKey: session, project };
    appendFileSync(file, JSON.stringify(line) + "\\n", { mode: 0o600 });
  } catch {
    // a home that cannot be written counts nothing
  }
}

function guardOf(name) {
  try {
    return new RegExp("^" + name + "=(.*)$", "m").exec(readFileSync(join(home, "guards"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

function isOnPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
}
`;
}
