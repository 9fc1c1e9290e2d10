/**
 * How servers run: in the sandbox of runs, without network, where they can read the tree and change none of it. A question by
 * an agent may start one, and a server may run code of the repository, such as a plugin that its set-up names.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Sandbox } from "../../orchestration/executors/index.ts";
import type { Enclosure } from "./start-server.ts";

type EnclosureTerms = {
  /** False: where no sandbox works, servers run without one, because the user said so. */
  readonly isNeeded: boolean;
  /** Holds a folder of caches for each tree. */
  readonly caches: string;
  /** Sylk's own places. */
  readonly hidden: readonly string[];
};

export function enclosureIn(
  sandbox: Sandbox,
  { isNeeded, caches, hidden }: EnclosureTerms,
): (tree: string) => Promise<Enclosure> {
  return async (tree) => {
    const state = await sandbox.state();
    if (state.enforced) {
      const own = join(caches, createHash("sha256").update(tree).digest("hex").slice(0, 16));
      const places = { tree, isTreeReadOnly: true, repository: tree, caches: own, hidden, network: false };
      return { kind: "sandboxed", enclose: (command) => sandbox.enclose(command, places) };
    }
    if (!isNeeded) return { kind: "open" };
    const reason = `no sandbox works here (${state.reason}), and it may run code of the repository; "languageServers.mode: on" starts it without`;
    return { kind: "refused", reason };
  };
}
