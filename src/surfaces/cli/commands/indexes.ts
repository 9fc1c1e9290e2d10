/** A session's own index, on the command line: its output is for the shell to take over. */
import { operationCommand } from "../operation-command.ts";

export const open = operationCommand("index.open", {
  print({ index, unstaged }, out) {
    if (unstaged.length > 0) out.note(`Others committed these paths; stage them again: ${unstaged.join(", ")}`);
    out.line(`export GIT_INDEX_FILE=${quoted(index.file)}`);
  },
});

export const close = operationCommand("index.close", {
  print({ removed }, out) {
    if (removed === undefined) out.note("You had no private index");
    out.line("unset GIT_INDEX_FILE");
  },
});

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
