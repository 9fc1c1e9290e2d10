/**
 * Tells an agent something about one of its work items. The one place where it is decided how: today a notice that the
 * agent reads with `work-item.notices`. The same thing about the same claim is said once.
 */
import type { AgentRef, Notice } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { WorkItemTx } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";

type NoticeTerms = {
  readonly kind: Notice["kind"];
  readonly text: string;
  readonly by?: AgentRef | undefined;
};

export async function notifyAgent(
  agent: AgentRef,
  { id, fencingToken }: WorkItemRecord,
  { kind, text, by }: NoticeTerms,
  tx: Pick<WorkItemTx, "workItems">,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  await tx.workItems.addNotice({ agent: agent.id, item: id, kind, by, claim: fencingToken, text, at: clock.now() });
}
