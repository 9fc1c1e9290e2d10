/** The composition root of `sylk install`: the clients it knows, without anything of the daemon. */
import { join } from "node:path";
import { claudeCode } from "../../adapters/claude-code/index.ts";
import { createConfinement, helperName } from "../../adapters/confinement/index.ts";
import { codex } from "../../adapters/codex/index.ts";
import { gemini } from "../../adapters/gemini/index.ts";
import { installTroubles, planInstall, planUninstall, planUpgrade } from "../../adapters/installation/index.ts";
import { opencode } from "../../adapters/opencode/index.ts";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import type { ClientInstaller } from "../../surfaces/cli/index.ts";

/** A client that can be installed: a folder in adapters/ and a line here. */
export const installableClients: readonly InstallableClientV1[] = [claudeCode, codex, opencode, gemini];

export function clientInstaller(): ClientInstaller {
  const clients = installableClients;
  const named = (name: string) => clients.find((client) => client.name === name);
  return {
    names: clients.map(({ name }) => name),
    plan(kind, name, terms) {
      const client = named(name);
      if (client === undefined) return undefined;
      return kind === "install" ? planInstall({ ...terms, client }) : planUninstall({ ...terms, client });
    },
    planUpgrade: (terms) => planUpgrade({ ...terms, clients }),
    tryConfinement: ({ home }) =>
      createConfinement({ clock: systemClock(), installedHelper: join(home, "hooks", helperName) }).state(),
    examine: (terms) => installTroubles({ ...terms, clients }),
  };
}
