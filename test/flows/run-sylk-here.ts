/**
 * The command line without a process of its own: the same words, variables and output, without the quarter of a second
 * a process takes. That each command works as a process is command-line.test.ts's to show.
 */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { commandEntryPoints } from "../../src/app/command-line/entry-points.ts";
import { plugEntryPoints, runCli } from "../../src/surfaces/cli/index.ts";
import type { RunOptions, SylkRun } from "./run-sylk.ts";

plugEntryPoints(commandEntryPoints);

export async function runSylkHere(
  argv: readonly string[],
  { env, cwd }: Pick<RunOptions, "env" | "cwd">,
): Promise<SylkRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli({ argv, env, cwd, streams: { stdout, stderr } });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, errors] = await said;
  return { code, signal: null, stdout: out, stderr: errors };
}
