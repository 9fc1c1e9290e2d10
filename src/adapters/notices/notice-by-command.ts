/** Tells a person by a command of theirs: words, no shell; the notice is in its environment. */
import type { CommandPort } from "../../orchestration/executors/index.ts";
import type { SendNotice } from "../../oversight/notify/index.ts";

type Env = Readonly<Record<string, string | undefined>>;
const timeoutMs = 10_000;
/** What programs that show something on a desktop need; no keys, no tokens. */
const passedOn = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
];

export function noticeByCommand(command: string, cwd: string, env: Env, { run }: Pick<CommandPort, "run">): SendNotice {
  return async ({ text, items }) => {
    const [program, ...rest] = wordsOf(command);
    const [first] = items;
    const given = {
      ...Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      SYLK_NOTICE: text,
      SYLK_NOTICE_COUNT: String(items.length),
      SYLK_NOTICE_KIND: items.length === 1 ? first!.kind : "several",
      SYLK_NOTICE_PROJECT: [...new Set(items.map(({ project }) => project))].join(", "),
      SYLK_NOTICE_ID: items.length === 1 ? first!.id : "",
    };
    const { end, exitCode, output } = await run({ argv: [program!, ...rest], cwd, env: given, timeoutMs });
    if (end === "exited" && exitCode === 0) return;
    const how = end === "exited" ? `ended with ${exitCode}` : end === "not-found" ? "was not found" : end;
    throw new Error(
      `notify.command: ${program} ${how}${output.trim() === "" ? "" : `: ${output.trim().slice(0, 200)}`}`,
    );
  };
}

/** Words separated by spaces, or a JSON list of words. */
function wordsOf(command: string): readonly string[] {
  return command.startsWith("[") ? (JSON.parse(command) as string[]) : command.split(/\s+/);
}
