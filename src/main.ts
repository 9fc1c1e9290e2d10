/** The program: reads its surroundings once and hands them to the command line. */
import { plugEntryPoints, runCli } from "./surfaces/cli/index.ts";

plugEntryPoints({
  serve: async (terms) => (await import("./serve.ts")).serve(terms),
  work: async () => (await import("./worker.ts")).runWorker(),
  simulation: async () => (await import("./simulate.ts")).simulation,
  clients: async () => (await import("./compose-clients.ts")).clientInstaller(),
  ledger: async (input, terms) => (await import("./compose-cost.ts")).standaloneLedger(input, terms),
  store: async () => (await import("./platform/store/index.ts")).stoppedStore(),
});
process.exitCode = await runCli({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
