/** The composition root of `sylk tools` where no daemon runs: the folder is scanned for this one answer. */
import {
  createToolDiscovery,
  choicesIn,
  existingFolder,
  registryOfHome,
  scanTools,
} from "../../knowledge/toolchains/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { resolveSettings } from "../../platform/config/index.ts";
import type { StandaloneTools } from "../../surfaces/cli/index.ts";

export const standaloneTools: StandaloneTools = async ({ path = ".", session: _session, ...input }, { paths, env }) => {
  const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} });
  const registry = registryOfHome(paths.home);
  const discovery = createToolDiscovery({
    registry,
    clock: systemClock(),
    scan: (request) => scanTools(request, { registry, env }),
    research: async () => undefined,
    choices: (_session, folder) => choicesIn(folder, { session: {}, user: settings["tools.prefer"] }),
    cacheMs: () => 0,
  });
  return discovery.discover({ ...input, path: await existingFolder(path), session: "none", agent: "user" });
};
