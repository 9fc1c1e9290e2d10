/**
 * Decides what a command does about a daemon of another version.
 *
 *   same version                              -> use it
 *   the daemon is older                       -> replace it
 *   the daemon is newer, speaks our protocol  -> use it, and say so
 *   the daemon is newer, and too far away     -> refuse
 *
 * A newer one is never replaced: two commands of different versions do not stop each other's daemon in turn.
 */
export type Build = { readonly version: string; readonly protocol: number };
export type Verdict = "use" | "replace" | "warn" | "refuse";

export function judgeVersions(ours: Build, daemon: Build): Verdict {
  const order = compareVersions(ours.version, daemon.version);
  if (order === 0) return "use";
  if (order > 0) return "replace";
  const understood = majorOf(ours.version) === majorOf(daemon.version) && ours.protocol === daemon.protocol;
  return understood ? "warn" : "refuse";
}

/** Below 0 when `a` is older. A pre-release is older than its release; a text that is not a version is older than any. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < 3; index++) {
    const difference = left.numbers[index]! - right.numbers[index]!;
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === "" || right.pre === "") return left.pre === "" ? 1 : -1;
  return left.pre.localeCompare(right.pre, "en", { numeric: true });
}

function majorOf(version: string): number {
  return partsOf(version).numbers[0]!;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly pre: string } {
  const [, major, minor, patch, pre = ""] = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?/.exec(version) ?? [];
  return { numbers: [major, minor, patch].map((part) => Number(part ?? -1)), pre };
}
