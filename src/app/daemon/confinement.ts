/** Confinement of shell commands, connected: the guard asks it, running commands follow holds, `who` tells about it. */
import { join } from "node:path";
import { knownClients } from "../../adapters/clients/index.ts";
import { createConfinement, helperName } from "../../adapters/confinement/index.ts";
import type { ClientName } from "../../contract/index.ts";
import { createShellStates, followHolds, wrapCommand } from "../../coordination/guard/index.ts";
import type { WrapCommand } from "../../orchestration/executors/index.ts";
import { failureOf, outcomeOf } from "../../oversight/health/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { policyOf } from "./settings.ts";

const prefixedClients: ReadonlySet<ClientName> = new Set(
  knownClients.flatMap(({ name, shellPrefixVariable, confinedShell }) =>
    (shellPrefixVariable ?? confinedShell) === undefined ? [] : [name],
  ),
);

export function composeConfinement(parts: DaemonParts, terms: DaemonTerms) {
  const { health, store } = parts;
  const { clock, log, paths, settings } = terms;
  const ports = {
    ...parts,
    confinement: createConfinement({ clock, installedHelper: join(paths.home, "hooks", helperName) }),
    enforce: settings["guard.enforce"],
    policyFor: policyOf(terms),
  };
  const follower = followHolds({
    ...ports,
    onFollowed: (troubles) => health.report(outcomeOf("enforced holds", troubles)),
    onFailed(error) {
      health.report(failureOf("enforced holds", error));
      log.warn("enforced-holds.failed", { error });
    },
  });
  return {
    confinement: ports.confinement,
    enforce: ports.enforce,
    follower,
    shells: createShellStates({ ...ports, agents: store.reader.agents, prefixedClients }),
    /** For executors that run commands for an agent. */
    wrap: (async (command, agent) => {
      const wrapped = await wrapCommand(command, agent, ports);
      follower.started();
      return wrapped;
    }) satisfies WrapCommand,
  };
}
export type ComposedConfinement = ReturnType<typeof composeConfinement>;
