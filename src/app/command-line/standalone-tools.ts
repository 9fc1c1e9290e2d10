/** The composition root of `sylk tools` where no daemon runs: the folder is scanned for this one answer. */
import {
  createToolDiscovery,
  createToolRegistry,
  existingFolder,
  scanFolder,
} from "../../knowledge/toolchains/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import type { StandaloneTools } from "../../surfaces/cli/index.ts";

export const standaloneTools: StandaloneTools = async ({ path = ".", ...input }, { env }) => {
  const registry = createToolRegistry();
  const discovery = createToolDiscovery({
    registry,
    clock: systemClock(),
    scan: (folder) => scanFolder(folder, { registry, env }),
    cacheMs: () => 0,
  });
  return discovery.discover({ ...input, path: await existingFolder(path), session: "none", agent: "user" });
};
