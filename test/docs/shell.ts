/**
 * A shell that stays open between the commands of a page, as a reader's does: variables, folder and `$?` go on.
 *
 *   fd 3 -> command \0 -> eval (no input, output and errors together) -> output, mark, exit code
 *
 * The exit code is that of the first command that failed, so a broken line in the middle of a script is seen.
 */
import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { within } from "../flows/until.ts";

export type Shell = AsyncDisposable & {
  run(command: string): Promise<{ readonly exitCode: number; readonly output: string }>;
};

const mark = "\u0001end of command\u0001";
const loop = String.raw`
set -o pipefail
last=0 failed= expected=
restore() { expected=$last; [ "$last" != 0 ] || expected=; return "$last"; }
trap 'status=$?; if [ -n "$expected" ]; then expected=; elif [ -z "$failed" ]; then failed=$status; fi' ERR
while IFS= read -r -d '' command <&3; do
  failed=
  eval "restore
$command" </dev/null 2>&1 3<&-
  last=$?
  printf '\n${mark} %s\n' "${"$"}{failed:-$last}"
done
`;

export function openShell(options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }): Shell {
  const child = spawn("bash", ["--noprofile", "--norc", "-c", loop], {
    ...options,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let text = "";
  let waiting = (): void => {};
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      waiting();
    });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const commands = child.stdio[3] as Writable;
  return {
    async run(command) {
      text = "";
      const finished = new Promise<RegExpExecArray>((resolve) => {
        waiting = () => {
          const end = new RegExp(`\n${mark} (\\d+)\n`).exec(text);
          if (end !== null) resolve(end);
        };
      });
      commands.write(`${command}\0`);
      const end = await within(`"${command}" ends`, finished, { withinMs: 30_000 });
      return { exitCode: Number(end[1]), output: text.slice(0, end.index) };
    },
    async [Symbol.asyncDispose]() {
      commands.end();
      child.kill("SIGKILL");
      await ended;
    },
  };
}
