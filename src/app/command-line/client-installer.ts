/** The composition root of `sylk install`: the clients that have an adapter, without anything of the daemon. */
import { join } from "node:path";
import { knownClients as clients } from "../../adapters/clients/index.ts";
import { createConfinement, createSandbox, helperName } from "../../adapters/confinement/index.ts";
import { installTroubles, planInstall, planUninstall, planUpgrade } from "../../adapters/installation/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import type { ClientInstaller } from "../../surfaces/cli/index.ts";

export function clientInstaller(): ClientInstaller {
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
    trySandbox: ({ network }) => createSandbox({ clock: systemClock(), network }).state(),
    examine: (terms) => installTroubles({ ...terms, clients }),
  };
}
