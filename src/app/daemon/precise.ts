/** Connects the precise providers of the code index: imported SCIP indexes and language servers. */
import { dirname, join, resolve } from "node:path";
import { createSandbox } from "../../adapters/confinement/index.ts";
import { createGit } from "../../adapters/git/index.ts";
import { createLanguageServers, enclosureIn } from "../../adapters/language-servers/index.ts";
import { createCommands, locateProgram, startProgram } from "../../adapters/processes/index.ts";
import { createScipIndexes } from "../../adapters/scip/index.ts";
import { type CodeIndex, type CodePorts, positionHandlers, withPrecise } from "../../knowledge/code-index/index.ts";
import { createProcessRecorder, programEnvironment } from "../../orchestration/executors/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

const minuteMs = 60_000;

export function composePrecise(
  { store }: DaemonParts,
  { paths, settings, env, clock, log }: DaemonTerms,
  { index, treeOf }: { readonly index: Pick<CodeIndex, "ask">; readonly treeOf: CodePorts["treeOf"] },
) {
  const git = createGit(clock, env);
  const servers = createLanguageServers({
    clock,
    isOn: settings["languageServers.mode"] !== "off",
    enclosureOf: enclosureIn(createSandbox({ clock, network: false }), {
      isNeeded: settings["languageServers.mode"] === "auto",
      caches: join(paths.home, "run-caches", "language-servers"),
      hidden: [paths.home, dirname(paths.socket)],
    }),
    findProgram: (name) => locateProgram(name, env.PATH),
    startProgram: (terms) => startProgram(terms, clock),
    processes: createProcessRecorder({ store, endGroup: createCommands(clock).endGroup, log }),
    env: programEnvironment(env),
    onCrash: (server, tree, reason) => log.warn("language-server.ended", { server, tree, reason }),
    terms: { idleMs: settings["languageServers.idleMinutes"] * minuteMs },
  });
  const scip = createScipIndexes({
    folder: join(paths.home, "scip"),
    now: clock.now,
    repositoryOf: async (tree) => (await git(tree, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trim(),
  });
  const providers = [scip, servers];
  return {
    filesChanged: servers.filesChanged,
    index: withPrecise(index, providers),
    handlers: positionHandlers({
      index,
      providers,
      treeOf,
      servers: servers.list,
      importScip: (file, tree) => scip.import(resolve(tree, file), tree),
      listScip: scip.list,
    }),
    forget: scip.forget,
    async stop(): Promise<void> {
      await servers.close();
      scip.close();
    },
  };
}
