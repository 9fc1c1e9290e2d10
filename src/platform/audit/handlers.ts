/** Handlers of the audit: what `contract/audit.ts` names. */
import type { OperationHandlers, OperationsOn } from "../operations/index.ts";
import type { AuditRepository } from "./audit.ts";
import { listAudit, verifyAudit } from "./list-audit.ts";

type AuditHandlerPorts = {
  readonly store: { readonly reader: { readonly audit: AuditRepository } };
  /** Where the newest entry's hash is kept beside the store. */
  readonly headFile: string;
};

export function auditHandlers({
  store: {
    reader: { audit },
  },
  headFile,
}: AuditHandlerPorts): OperationHandlers<unknown, OperationsOn<"audit">> {
  return {
    "audit.list": (input) => listAudit(input, audit),
    "audit.verify": (input) => verifyAudit(input, { audit, headFile }),
  };
}
