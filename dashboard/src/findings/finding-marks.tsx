/** Severity and status of a finding, by shape and word. */
import type { ReactNode } from "react";
import type { PublishedFinding } from "../daemon/contract.ts";
import { StateMark } from "../parts/state-mark.tsx";

const severityLooks = { blocking: "stuck", important: "blocked", informational: "open" } as const;
const statusLooks = { open: "open", accepted: "running", discarded: "cancelled", fixed: "closed" } as const;

export function SeverityMark({ severity }: Pick<PublishedFinding, "severity">): ReactNode {
  return <StateMark state={severityLooks[severity]} label={severity} />;
}

export function StatusMark({ status }: Pick<PublishedFinding, "status">): ReactNode {
  return <StateMark state={statusLooks[status]} label={status} />;
}
