/** The guard's ports over the scratch store: no git, no kernel, no local history, unless a test gives them. */
import type { DomainError, InputOf } from "../../contract/index.ts";
import { createRecentReads } from "../commits/index.ts";
import type { ScratchPorts } from "../testkit.ts";
import type { GuardPorts } from "./ports.ts";
import { createGatePasses } from "./gate-passes.ts";
import { createToldLosses } from "./told-losses.ts";
import { createToolCalls } from "./tool-calls.ts";
import { createUnguardedCalls } from "./unguarded-calls.ts";

export function guardPorts<Changes extends Partial<GuardPorts>>(ports: ScratchPorts, changes: Changes) {
  return {
    ...ports,
    told: createToldLosses(),
    passes: createGatePasses(ports.clock),
    unguarded: createUnguardedCalls({
      ...ports,
      // A test may be over before the last write.
      onFailed(error) {
        if ((error as DomainError).code !== "daemon.stopping") throw error;
      },
    }),
    calls: createToolCalls(ports.clock),
    reads: createRecentReads(ports.clock),
    policyFor: async () => "deny" as const,
    lastWriters: async () => new Map(),
    readCommand: () => undefined,
    shells: { of: async () => ({ shell: "not-enforced" as const }), asked: async () => {} },
    incidents: () => [],
    clearLeftovers: async () => ({ removed: [], quarantined: [] }),
    ...changes,
  };
}

/** The input of `guard.write` with nothing in it but this. */
export function asked(wanted: Partial<InputOf<"guard.write">>): InputOf<"guard.write"> {
  return { paths: [], patterns: [], unknown: [], programs: [], tools: [], gitCommands: [], ...wanted };
}
