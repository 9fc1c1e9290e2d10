/**
 * What a client starts for its status line: POSIX sh and curl ask the daemon, which draws the line. Without a daemon or curl
 * the command line's small program draws what it can. It always prints a line and never fails: a client blanks it otherwise.
 * A here-document instead of a pipe: a line is drawn at every turn, and each process costs a millisecond or more.
 */
import type { HomePaths } from "../../platform/home/index.ts";
import { quoted } from "./launcher-script.ts";

export const statuslineName = "sylk-statusline";

type Terms = { readonly paths: HomePaths; readonly node: string; readonly sylk: string };

export function statuslineScript({ paths, node, sylk }: Terms): string {
  return `#!/bin/sh
# Sylk's status line, written by "sylk install": what the client says on standard input, one line on standard output.
home=${quoted(paths.home)}
socket=${quoted(paths.socket)}
node=${quoted(node)}
sylk=${quoted(sylk)}
said=$(cat)
line=
if [ -S "$socket" ]; then
  line=$(curl -q -s -f --noproxy '*' --max-time 1 --unix-socket "$socket" -H 'Expect:' \\
    -H 'Content-Type: application/octet-stream' --data-binary @- http://localhost/v1/statusline 2>/dev/null <<SAID
$said
SAID
)
fi
if [ -z "$line" ] && [ -x "$node" ] && [ -f "$sylk" ]; then
  line=$(printf '%s' "$said" | SYLK_HOME=$home "$node" "$sylk" statusline 2>/dev/null)
fi
printf '%s\\n' "\${line:-sylk}"
`;
}
