/** Connects scans of repositories elsewhere: git, the index, tool discovery, the user's settings. */
import { join } from "node:path";
import { createRemoteCloner } from "../../adapters/git/index.ts";
import { createCommands } from "../../adapters/processes/index.ts";
import { type CodeIndex, lookInto } from "../../knowledge/code-index/index.ts";
import { createRemoteScan, readHosts } from "../../knowledge/remote-scan/index.ts";
import type { ToolDiscovery } from "../../knowledge/toolchains/index.ts";
import type { DaemonTerms } from "./parts.ts";

export function composeRemoteScan(
  { clock, env, paths, redactor, settings }: DaemonTerms,
  index: Pick<CodeIndex, "ask" | "forget">,
  discovery: ToolDiscovery,
  hosts = settings["scan.hosts"],
) {
  return createRemoteScan({
    folder: join(paths.home, "scans"),
    hosts: readHosts(hosts),
    limits: { maxBytes: settings["scan.maxBytes"], timeoutMs: settings["scan.timeoutMs"] },
    clone: createRemoteCloner({ commands: createCommands(clock), clock, env, clean: redactor.text }),
    lookInto: (tree) => lookInto(index, tree),
    toolsIn: (path) => discovery.discoverAll(path, "scan"),
    forget: (tree) => index.forget(join(tree, ".git")),
    tokenIn(variable) {
      redactor.learn(env[variable]);
      return env[variable];
    },
  });
}
