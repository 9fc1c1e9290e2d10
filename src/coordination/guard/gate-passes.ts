/**
 * Commits that the gate let through, until they are seen on a branch. A commit of a held file that is seen without one went
 * round the gate. In memory: what was let through before a restart is on its branch by then.
 */
import type { ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type GatePasses = {
  passed(project: ProjectId, paths: readonly string[]): void;
  /** Whether a commit of these paths was let through at this time or later. Each pass is good for one commit. */
  take(project: ProjectId, paths: readonly string[], since: number): boolean;
};

/** A person may write the message of a commit for hours after the gate was asked. */
const mostKept = 1_000;

export function createGatePasses(clock: Clock): GatePasses {
  const passes: { readonly project: ProjectId; readonly paths: ReadonlySet<string>; readonly at: number }[] = [];
  return {
    passed(project, paths) {
      if (passes.length >= mostKept) passes.shift();
      passes.push({ project, paths: new Set(paths), at: clock.now() });
    },
    take(project, paths, since) {
      const at = passes.findLastIndex(
        (pass) => pass.project === project && pass.at >= since && paths.every((path) => pass.paths.has(path)),
      );
      if (at !== -1) passes.splice(at, 1);
      return at !== -1;
    },
  };
}
