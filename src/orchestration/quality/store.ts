/** What checks outside of runs keep: the processes they have started. */
import type { ProcessIdentity } from "../executors/index.ts";

export type CheckProcessRepository = {
  add(process: ProcessIdentity): Promise<void>;
  remove(process: ProcessIdentity): Promise<void>;
  all(): Promise<readonly ProcessIdentity[]>;
};
