/** Findings on their way from a check to its judgement: they belong to the check's result, and to nothing before it. */
import type { Finding, RoleName, RunId } from "../../../contract/index.ts";

export type Corrections = {
  add(run: RunId, by: RoleName, findings: readonly Finding[]): number;
  take(run: RunId, by: RoleName): readonly Finding[];
};

export function createCorrections(): Corrections {
  const waiting = new Map<string, readonly Finding[]>();
  return {
    add(run, by, findings) {
      const all = [...(waiting.get(`${run} ${by}`) ?? []), ...findings];
      waiting.set(`${run} ${by}`, all);
      return all.length;
    },
    take(run, by) {
      const taken = waiting.get(`${run} ${by}`) ?? [];
      waiting.delete(`${run} ${by}`);
      return taken;
    },
  };
}
