// Sylk's plugin for opencode, written by "sylk install opencode"; "sylk uninstall opencode" removes it.
// It asks Sylk's daemon before a tool writes a file. Where Sylk was never set up it does nothing.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const home = __HOME__;
const writers = new Set(["write", "edit", "multiedit", "bash", "patch", "apply_patch"]);
/** Its own tools that only read; every other one may write, also those of other servers. */
const readers = /^(?:read|list|glob|grep|webfetch|websearch|codesearch|todoread|todowrite|task|skill|lsp|question|batch|invalid|sylk_.*)$/;
const startsDaemon = new Set(["start", "tool"]);
/** The fields of a tool that could name files: no content. */
const shortly = (args) => JSON.parse(JSON.stringify(args ?? {}, (_field, value) => (typeof value === "string" && value.length > 4096 ? undefined : value)));
const load = createRequire(import.meta.url);

class Denied extends Error {}

export const Sylk = async ({ directory, client }) => {
  const parents = new Map();
  const lines = new Map();
  const advised = new Set();
  const mail = new Map();
  const news = new Map();

  const send = async (event, session, more = {}) => {
    const parent = parents.get(session);
    const who = parent === undefined ? { session_id: session } : { session_id: session, parent_id: parent };
    const body = JSON.stringify({ ...who, cwd: directory, ...more });
    const ask = () => library.check(home, { client: "opencode", event, body, pid: process.pid });
    let answer = await ask();
    // After a crash or a reboot the first call starts the daemon and is judged by it. An older library starts none.
    if (answer.isDown && startsDaemon.has(event)) {
      const said = await library.start?.(home, { waitMs: 3000 });
      if (said === "up") answer = await ask();
      else if (said === "starting") answer.text += "; the daemon is being started, and the next call is guarded";
    }
    const { verdict, text } = answer;
    if (verdict === "unreachable") library.note(home, { client: "opencode", event, session, project: directory, cause: text });
    if (verdict === "warn" || verdict === "degraded") tell(text);
    return answer;
  };
  const tell = (message) => {
    try {
      void client?.app?.log?.({ body: { service: "sylk", level: "warn", message } })?.catch?.(() => {});
    } catch {
      // no reader is left
    }
  };
  /** On the screen and in the log. */
  const show = (message) => {
    tell(message);
    try {
      void client?.tui?.showToast?.({ body: { message, variant: "warning" } })?.catch?.(() => {});
    } catch {
      // it has no screen
    }
  };
  const library = openLibrary(home, tell);
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
  const guard = async (tool, session, args, call) => {
    if (readers.test(tool)) return;
    const { command, workdir, patchText, filePath } = args ?? {};
    const named = writers.has(tool) ? { command, workdir, patchText, filePath } : shortly(args);
    const { verdict, text } = await send("tool", session, { tool, args: named, call_id: call });
    if (verdict === "deny") throw new Denied(text);
    if (verdict === "allow") advise(session);
    if (verdict === "tell") news.set(session, text);
    if (verdict !== "unreachable") return;
    if (library.guardOf(home, "edit") === "fail-closed")
      throw new Denied("Sylk: stopped, because the daemon cannot be asked who holds this file: " + text + ' (guard.edit is fail-closed). Start the daemon with "sylk up"');
    const said = "Sylk: this call was NOT guarded: " + text + (text.includes("being started") ? "" : '; "sylk up" starts the daemon');
    news.set(session, said);
    show(said);
  };
  // Into opencode's log: standard error would be drawn over its screen.
  const advise = (own) => {
    const session = parents.get(own) ?? own;
    if (advised.has(session)) return;
    advised.add(session);
    library.nudge(home, { integration: "opencode", session, tree: directory, say: tell });
  };

  return {
    config: quietly(async (config) => {
      if (library.status(home) === "present" && isOnPath("sylk"))
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
    "tool.execute.before": quietly(({ tool, sessionID, callID }, { args }) => guard(tool, sessionID, args, callID)),
    "tool.execute.after": quietly(async ({ tool, sessionID, callID }) => {
      if (writers.has(tool)) await send("tool-end", sessionID, { call_id: callID });
    }),
    // A file that bash reads first starts the command again, with files of others read-only. The text of the command is not
    // touched: permission rules read it.
    "shell.env": quietly(async ({ sessionID }, output) => {
      if (typeof sessionID !== "string") return;
      output.env.SYLK_OPENCODE_SESSION = sessionID;
      const start = join(home, "hooks", "sylk-shell-start");
      if (!existsSync(start)) return;
      const own = output.env.BASH_ENV ?? process.env.BASH_ENV;
      if (own) output.env.SYLK_BASH_ENV = own;
      Object.assign(output.env, { BASH_ENV: start, SYLK_SHELL_START: String(process.pid) });
    }),
    event: quietly(async ({ event: { type, properties } }) => {
      if (type === "session.created" && properties.info.parentID) parents.set(properties.info.id, properties.info.parentID);
      if (type === "session.idle") await rest(properties.sessionID);
      if (type === "session.deleted") await send("end", properties.info.id);
    }),
    dispose: quietly(async () => {
      await Promise.all([...lines.keys()].map((session) => send("end", session)));
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

function isOnPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
}

__LOADER_TEXT__
