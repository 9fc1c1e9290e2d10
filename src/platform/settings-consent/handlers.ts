/** Handlers of settings: what `contract/config.ts` names. */
import type { AuditRepository } from "../audit/index.ts";
import type { OperationHandlers, OperationsOn } from "../operations/index.ts";
import { distrustSettings, trustSettings, type TrustPorts } from "./trust-settings.ts";

export function configHandlers(
  ports: TrustPorts,
): OperationHandlers<{ readonly audit: AuditRepository }, OperationsOn<"config">> {
  return {
    "config.trust": (input, call) => trustSettings(input, call, ports),
    "config.distrust": (input, call) => distrustSettings(input, call, ports),
  };
}
