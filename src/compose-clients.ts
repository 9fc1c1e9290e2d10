/** The composition root of `sylk install`: the clients it knows, without anything of the daemon. */
import { claudeCode } from "./adapters/claude-code/index.ts";
import { installTroubles, planInstall, planUninstall } from "./adapters/installation/index.ts";
import type { ClientInstaller } from "./surfaces/cli/index.ts";

export function clientInstaller(): ClientInstaller {
  const clients = [claudeCode];
  const named = (name: string) => clients.find((client) => client.name === name);
  return {
    names: clients.map(({ name }) => name),
    plan(kind, name, terms) {
      const client = named(name);
      if (client === undefined) return undefined;
      return kind === "install" ? planInstall({ ...terms, client }) : planUninstall({ ...terms, client });
    },
    examine: installTroubles,
  };
}
