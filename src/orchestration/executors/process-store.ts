/** Processes that Sylk started, by who owns them: a run, a graph, `checks` or `prompts`. */
import type { ProcessIdentity } from "./command-port.ts";

export type OwnedProcess = ProcessIdentity & { readonly owner: string };

export type ProcessRepository = {
  add(process: OwnedProcess): Promise<void>;
  remove(process: ProcessIdentity): Promise<void>;
  /** Of one owner, or of all. */
  list(owner?: string): Promise<readonly OwnedProcess[]>;
};
