/** The program: reads its surroundings once and hands them to the command line. */
import { plugEntryPoints, runCli } from "./surfaces/cli/index.ts";

plugEntryPoints({
  serve: async (terms) => (await import("./app/daemon/serve.ts")).serve(terms),
  work: async () => (await import("./app/worker/run-worker.ts")).runWorker(),
  simulation: async () => (await import("./app/simulation/simulate.ts")).simulation,
  clients: async () => (await import("./app/command-line/client-installer.ts")).clientInstaller(),
  ledger: async (input, terms) =>
    (await import("./app/command-line/standalone-ledger.ts")).standaloneLedger(input, terms),
  store: async () => (await import("./platform/store/index.ts")).stoppedStore(),
});
process.exitCode = await runCli({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
