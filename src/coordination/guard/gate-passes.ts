/**
 * Commits that the gate let through, until they are seen on a branch. A commit of a held file that is seen without one went
 * round the gate. In memory: what was let through before a restart is on its branch by then.
 */
import type { ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type GatePasses = {
  passed(project: ProjectId, paths: readonly string[]): void;
  /** Whether all of these paths of a commit were let through at this time or later. Each pass is good for one commit. */
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
      const good = passes.filter((pass) => pass.project === project && pass.at >= since);
      // Hooks may add files to a commit, which are asked for once more.
      const used = paths.map((path) => good.findLast((pass) => pass.paths.has(path)));
      if (used.includes(undefined)) return false;
      for (const pass of new Set(used)) passes.splice(passes.indexOf(pass!), 1);
      return true;
    },
  };
}
