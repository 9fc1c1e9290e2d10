/** The composition root of `sylk find` and `sylk map` where no daemon runs: the same index in the home, for one question. */
import { join } from "node:path";
import { openCodeIndex } from "../../adapters/index-threads/index.ts";
import { defaultLimits } from "../../knowledge/code-index/index.ts";
import { prepareHome } from "../../platform/home/index.ts";
import type { StandaloneCodeIndex } from "../../surfaces/cli/index.ts";

export const standaloneCodeIndex: StandaloneCodeIndex = async (name, input, { paths, env }) => {
  prepareHome(paths.home);
  const index = openCodeIndex({ folder: join(paths.home, "index"), limits: defaultLimits, env, watches: false });
  try {
    return await index.ask(name, input.tree ?? process.cwd(), input);
  } finally {
    await index.stop();
  }
};
