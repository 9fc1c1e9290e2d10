/**
 * Two writes that no text tells of: a script of another session meets a file that the kernel keeps read-only, and a
 * program outside of all sessions empties the file, which local history puts back.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoWorld } from "./demo-world.ts";

export type ProtectionFacts = {
  /** Whether the kernel kept the file; false where a trial failed on this machine, which is said. */
  readonly enforced: boolean;
  readonly restored: boolean;
};

export async function showProtection(world: DemoWorld, file: string): Promise<ProtectionFacts> {
  const { out, user, repository } = world;
  const place = join(repository, file);
  const written = readFileSync(place, "utf8");
  const refusal = runScriptOverFile(world, file);
  const enforced = readFileSync(place, "utf8") === written;
  out.line(`  a third runs a script that empties ${file}  ${verdict(enforced, out)}`);
  out.line(`          ${enforced ? refusal : 'the kernel keeps files read-only where "sylk doctor" says enforced'}`);
  writeFileSync(place, "");
  await user.call("file.restore", { path: file, tree: repository });
  const restored = readFileSync(place, "utf8") === written;
  if (!restored) throw new Error(`${file} was not restored`);
  out.line(`  an editor empties it anyway; "sylk file restore ${file}"  ${out.paint("green", "every line is back")}`);
  return { enforced, restored };
}

/** By the shell prefix that the installation put into Claude Code's settings; answers with the last line of its error. */
function runScriptOverFile({ root, repository, env }: DemoWorld, file: string): string {
  const script = join(root, "tidy.sh");
  writeFileSync(script, `: > ${file}\n`);
  const { stderr } = spawnSync(join(repository, ".claude", "sylk-shell"), [`sh ${script}`], {
    cwd: repository,
    env: { ...env, CLAUDE_CODE_SESSION_ID: "demo-wednesday" },
    encoding: "utf8",
  });
  return stderr.trim().split("\n").at(-1) ?? "";
}

function verdict(enforced: boolean, { paint }: DemoWorld["out"]): string {
  return enforced ? paint("red", "refused by the kernel") : paint("yellow", "not enforced on this machine");
}
