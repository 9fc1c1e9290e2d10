/** For `sylk doctor`: what of an installation is not as it should be. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HomePaths } from "../../platform/home/index.ts";
import { gateHooksOf, hasGate } from "./git-hook.ts";
import { hasHooks } from "./hook-settings.ts";
import { readRecords } from "./install-record.ts";
import { readText } from "./kept-file.ts";
import { launcherName, launcherScript } from "./launcher-script.ts";

export function installTroubles(paths: HomePaths): {
  readonly installed: number;
  readonly troubles: readonly string[];
} {
  const records = readRecords(paths);
  const troubles = records.length === 0 ? [] : [...launcherTroubles(paths)];
  for (const { settings, preCommit } of records) {
    if (!hasHooks(readText(settings.file) ?? "")) troubles.push(`${settings.file} has none of our hooks`);
    if (preCommit === undefined || !existsSync(dirname(preCommit.file))) continue;
    for (const hook of gateHooksOf(preCommit.file))
      if (!hasGate(readText(hook) ?? "")) troubles.push(`${hook} has no commit gate`);
  }
  return { installed: records.length, troubles };
}

function launcherTroubles(paths: HomePaths): readonly string[] {
  const file = join(paths.home, "hooks", launcherName);
  const found = readText(file);
  if (found === undefined) return [`${file} is missing`];
  const isOurs = withoutNode(found) === withoutNode(launcherScript({ paths, node: "" }));
  return isOurs ? [] : [`${file} is not this version's`];
}

/** Which Node stands in for curl differs from one start to the next, and does no harm. */
function withoutNode(script: string): string {
  return script.replace(/^node=.*$/m, "");
}
