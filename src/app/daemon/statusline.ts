/** Connects the status line with the event log, the clients' context usage, unguarded calls and the code index. */
import { knownClients } from "../../adapters/clients/index.ts";
import type { LogEvent } from "../../contract/index.ts";
import type { UnguardedCalls } from "../../coordination/guard/index.ts";
import type { ContextFeed } from "../../oversight/ledger/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { createRecentChanges, type StatuslinePorts } from "../../surfaces/statusline/index.ts";

export type StatuslineParts = Pick<
  StatuslinePorts,
  "clock" | "changes" | "statuslineMode" | "statuslineClient" | "noteContext" | "unguardedIn" | "indexStates"
>;

export function statuslineParts(
  { clock, bus, contexts }: { readonly clock: Clock; readonly bus: Bus<LogEvent>; readonly contexts: ContextFeed },
  { inTree, indexStates }: Pick<UnguardedCalls, "inTree"> & Pick<StatuslinePorts, "indexStates">,
  settings: Settings,
): StatuslineParts {
  const changes = createRecentChanges(clock);
  bus.subscribe("event.**", (event) => changes.note(event));
  return {
    clock,
    changes,
    statuslineMode: settings["statusline.mode"],
    statuslineClient: knownClients.find(({ hasStatusline }) => hasStatusline)!.name,
    noteContext: contexts.note,
    unguardedIn: (tree) => inTree(tree).length,
    indexStates,
  };
}
