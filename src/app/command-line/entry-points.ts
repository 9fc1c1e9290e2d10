/** The programs that commands start beside the daemon's operations, each loaded when a command first asks for it. */
import { callSessionFields, sessionVariables } from "../../adapters/client-sessions/index.ts";
import type { EntryPoints } from "../../surfaces/cli/index.ts";

export const commandEntryPoints: EntryPoints = {
  sessionVariables,
  callSessionFields,
  serve: async (terms) => (await import("../daemon/serve.ts")).serve(terms),
  work: async () => (await import("../worker/run-worker.ts")).runWorker(),
  simulation: async () => (await import("../simulation/simulate.ts")).simulation,
  clients: async () => (await import("./client-installer.ts")).clientInstaller(),
  ledger: async (input, terms) => (await import("./standalone-ledger.ts")).standaloneLedger(input, terms),
  tools: async (input, terms) => (await import("./standalone-tools.ts")).standaloneTools(input, terms),
  codeIndex: async (name, input, terms) =>
    (await import("./standalone-code-index.ts")).standaloneCodeIndex(name, input, terms),
  startTimeOf: async (pid) => (await import("../../adapters/processes/index.ts")).startTimeOf(pid),
  store: async () => (await import("../../platform/store/index.ts")).stoppedStore(),
};
