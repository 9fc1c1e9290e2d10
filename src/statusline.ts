/**
 * The status line's own program: a client starts it at every turn, so it loads nothing else. It is built as one CommonJS file,
 * and reads and writes without streams: the module loader and the streams would cost more than the line.
 */
import { fstatSync, readSync, writeSync } from "node:fs";
import { currentFolder } from "./platform/current-folder.ts";
import { statusline } from "./surfaces/statusline/index.ts";

const partBytes = 65_536;

async function* standardInput(): AsyncGenerator<Buffer> {
  if (fstatSync(0).isCharacterDevice()) return; // a terminal, or nothing
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(partBytes);
      const length = readSync(0, part);
      if (length === 0) return;
      yield part.subarray(0, length);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    yield* process.stdin; // the client opened it without waiting
  }
}

function say(line: string): void {
  try {
    writeSync(1, line);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return; // the client has gone
    process.stdout.on("error", () => process.exit(0));
    process.stdout.write(line);
  }
}

void statusline({ env: process.env, cwd: currentFolder(process.env), stdin: standardInput() }).then((line) =>
  say(`${line}\n`),
);
