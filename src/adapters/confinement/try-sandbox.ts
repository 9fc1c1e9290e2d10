/** A real trial of the sandbox: a command in it writes its tree, and nothing else; it sees no secret and no network. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfinementState } from "../../coordination/guard/index.ts";
import type { Sandbox } from "../../orchestration/executors/index.ts";

const limitMs = 5_000;

export async function trySandbox(enclose: Sandbox["enclose"], network: boolean): Promise<ConfinementState> {
  let folder: string | undefined;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "sylk-trial-")));
    const [tree, secret, caches] = ["tree", "secret", "caches"].map((name) => join(folder!, name)) as Places;
    for (const place of [tree, secret]) mkdirSync(place);
    const outside = join(homedir(), `.sylk-trial-${process.pid}`);
    writeFileSync(join(secret, "token"), "secret");
    const places = { tree, repository: folder, caches, hidden: [secret], network };
    // In a shell of its own: a redirection that fails ends the shell.
    const attack = `cat ${quoted(join(secret, "token"))}; (: >${quoted(outside)}); echo done >made`;
    const argv = ["/bin/sh", "-c", `{ ${attack}; } 2>/dev/null`] as const;
    const { argv: words, env } = enclose({ argv, cwd: tree, env: { PATH: process.env.PATH ?? "" } }, places);
    const { stdout, trouble } = await run(words, tree, env);
    if (trouble !== undefined) return { enforced: false, reason: trouble };
    const gotOut = existsSync(outside);
    rmSync(outside, { force: true });
    const isKept = readFileSync(join(tree, "made"), "utf8") === "done\n" && stdout === "" && !gotOut;
    return isKept ? { enforced: true, by: "bubblewrap" } : { enforced: false, reason: "a command got out of it" };
  } catch (error) {
    return { enforced: false, reason: `the trial failed: ${(error as Error).message}` };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

type Places = [string, string, string];

function run(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly trouble: string | undefined }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, timeout: limitMs }, (error, stdout, stderr) => {
      if (error === null) return resolve({ stdout, trouble: undefined });
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const ended = `bubblewrap ended with ${error.signal ?? error.code ?? "an error"}`;
      resolve({ stdout, trouble: isMissing ? "bubblewrap is not installed" : stderr.trim() || ended });
    });
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
