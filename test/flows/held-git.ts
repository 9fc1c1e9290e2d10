/**
 * A git for a daemon's PATH that hands out contents only once its gate is open: what is read from git waits, all else works.
 *
 *   using git = openHeldGit();                        // PATH: `${git.bin}:${process.env.PATH}`
 *   commitHeld(repository, {});                       // a file with other line ends than git stores, so it is read from git
 *   const open = git.close();                         // contents wait from here on
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTree } from "./scratch-home.ts";

export function openHeldGit() {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), "sy-bin-")));
  const gate = join(bin, "gate");
  execFileSync("mkfifo", [gate]);
  const end = openSync(gate, "r+"); // so that neither side waits for the other to open it
  return {
    bin,
    close(): () => void {
      const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
      const held = `case "$1" in cat-file) read -r _ < '${gate}' ;; esac`;
      writeFileSync(join(bin, "git"), `#!/bin/sh\n${held}\nexec '${real}' "$@"\n`);
      chmodSync(join(bin, "git"), 0o755);
      return () => {
        rmSync(join(bin, "git"));
        writeSync(end, "open\n");
      };
    },
    [Symbol.dispose](): void {
      closeSync(end);
      rmSync(bin, { recursive: true });
    },
  };
}

/** Commits the files and one more whose content is read from git: a/held.crlf.ts with the constant `held`. */
export function commitHeld(repository: string, files: Readonly<Record<string, string>>): void {
  writeTree(repository, {
    ...files,
    ".gitattributes": "*.crlf.ts text eol=crlf\n",
    "a/held.crlf.ts": "export const held = 1;\r\n",
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], { cwd: repository });
  git("add", ".");
  git("commit", "--quiet", "--message", "held");
}
