/** Installations, watched: the guard tells what is missing of them, and `who` tells who is guarded. */
import { knownClients } from "../../adapters/clients/index.ts";
import { listCompanions, watchInstalls } from "../../adapters/installation/index.ts";
import { createInstallNews } from "../../coordination/guard/index.ts";
import { outcomeOf } from "../../oversight/health/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

export function composeInstalls({ health, store, clock }: DaemonParts, { paths, env }: DaemonTerms) {
  const { look, lookedLately } = watchInstalls({
    clock,
    paths,
    env,
    clients: knownClients,
    onChanged: (troubles) =>
      health.report(
        outcomeOf(
          "installation",
          troubles.map(({ what }) => what),
        ),
      ),
  });
  const asked = new Map<string, Promise<ReadonlySet<string>>>();
  /** A list of agents asks for each of them at once: one answer serves all. */
  const hooked = (client: string): Promise<ReadonlySet<string>> => {
    const answer = asked.get(client) ?? hookedNow(client).finally(() => asked.delete(client));
    asked.set(client, answer);
    return answer;
  };
  const hookedNow = async (client: string): Promise<ReadonlySet<string>> => {
    const components = await health.components();
    const own = components.filter(({ kind, component }) => kind === "hook" && component.startsWith(`hook/${client}/`));
    return new Set(own.flatMap(({ agent }) => agent?.id ?? []));
  };
  const companions = () => listCompanions({ paths, env, clients: knownClients });
  return { look, companions, news: createInstallNews({ look, lookedLately, hooked, agents: store.reader.agents }) };
}
export type ComposedInstalls = ReturnType<typeof composeInstalls>;
