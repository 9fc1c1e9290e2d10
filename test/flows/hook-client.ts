/**
 * A stand-in for Claude Code: reads the hook commands from its settings file and starts them as the client does, by
 * `sh -c` with JSON of the client's shape on standard input. A denial is read as clients read it, in both of its forms: exit
 * code 2 with text, and JSON. Both are a run with code 2 and the reason as its `stderr`.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { within } from "./until.ts";

export type HookRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
type Handler = { readonly command: string };
type Settings = {
  readonly hooks?: Readonly<Record<string, readonly { matcher?: string; hooks: readonly Handler[] }[]>>;
};
type Env = Readonly<Record<string, string>>;

export type HookClient = {
  readonly session: string;
  start(): Promise<HookRun>;
  /** Before the Edit tool writes a file. */
  edit(file: string, terms?: { readonly agent?: string; readonly tool?: string }): Promise<HookRun>;
  /** Before the Bash tool runs a command. */
  shell(command: string): Promise<HookRun>;
  send(event: string, fields?: Readonly<Record<string, unknown>>, raw?: string | Uint8Array): Promise<HookRun>;
};

export function hookClient({
  session,
  repository,
  env,
  settings = join(repository, ".claude", "settings.local.json"),
  run = runShell,
}: {
  readonly session: string;
  readonly repository: string;
  readonly env: Env;
  readonly settings?: string;
  /** Who starts the hooks; this process, unless another is the client. */
  readonly run?: typeof runShell;
}): HookClient {
  const send: HookClient["send"] = async (event, fields = {}, raw) => {
    const base = { session_id: session, transcript_path: "/dev/null", cwd: repository, hook_event_name: event };
    const [command] = commandsOf(settings, event);
    if (command === undefined) throw new Error(`no hook for ${event}`);
    // One process plays several clients and their user here, so it is not the process of one of them.
    const unknown = { CLAUDE_PID: "0" };
    const own = { CLAUDE_PROJECT_DIR: repository, CLAUDE_CODE_SESSION_ID: session, CLAUDECODE: "1" };
    return run(command, raw ?? JSON.stringify({ ...base, ...fields }), { ...unknown, ...env, ...own }, repository);
  };
  return {
    session,
    send,
    start: () => send("SessionStart", { source: "startup" }),
    shell: (command) => send("PreToolUse", { tool_name: "Bash", tool_use_id: "toolu_2", tool_input: { command } }),
    edit: (file, { agent, tool = "Edit" } = {}) =>
      send("PreToolUse", {
        ...(agent === undefined ? {} : { agent_id: agent, agent_type: "general-purpose" }),
        permission_mode: "acceptEdits",
        tool_name: tool,
        tool_use_id: "toolu_1",
        tool_input:
          tool === "NotebookEdit"
            ? { notebook_path: join(repository, file), new_source: "1" }
            : { file_path: join(repository, file), old_string: "a", new_string: "b" },
      }),
  };
}

function commandsOf(settings: string, event: string): readonly string[] {
  const { hooks = {} } = JSON.parse(readFileSync(settings, "utf8")) as Settings;
  return (hooks[event] ?? []).flatMap((group) => group.hooks.map(({ command }) => command));
}

export function runShell(command: string, input: string | Uint8Array, env: Env, cwd: string): Promise<HookRun> {
  const child = spawn("sh", ["-c", command], { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}); // whoever does not read it has its reasons
  child.stdin.end(input);
  const ended = new Promise<HookRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return within(
    `"${command}" ends`,
    ended.then((run) => asRead(command, run)),
    { withinMs: 30_000 },
  );
}

type Denial = {
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: { readonly permissionDecision?: string; readonly permissionDecisionReason?: string };
};

/** As the client reads it. What a turn's end is told looks like Gemini's denial; the model continues with it. */
export function asRead(command: string, run: HookRun): HookRun {
  if (run.code !== 0 || !run.stdout.startsWith("{")) return run;
  const { decision, reason, hookSpecificOutput: own } = JSON.parse(run.stdout) as Denial;
  if (own?.permissionDecision === "deny") return { code: 2, stdout: "", stderr: `${own.permissionDecisionReason}\n` };
  return decision === "deny" && command.includes("BeforeTool") ? { code: 2, stdout: "", stderr: `${reason}\n` } : run;
}
