/** The operations on model providers. */
import type { AuditDraft, OutputOf } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Providers, ProviderWithKey } from "./providers-file.ts";

type AuditTx = { readonly audit: AuditRepository };
export type ProviderPorts = {
  readonly store: Store<AuditTx>;
  readonly providers: Providers;
  /** Asks it one question. */
  readonly test: (provider: ProviderWithKey) => Promise<OutputOf<"provider.test">>;
  /** Told how each test ended. */
  readonly onTested: (name: string, tested: OutputOf<"provider.test">) => void;
};

export function providerHandlers(ports: ProviderPorts): OperationHandlers<AuditTx, OperationsOn<"provider">> {
  const { providers } = ports;
  return {
    "provider.add": async ({ key, makeDefault, ...config }, { caller }) => {
      const { name, kind, model, keyVariable } = config;
      const where = keyVariable ?? (key === undefined ? "as before" : "file");
      const act = { actor: actorOf(caller), action: "provider.added", subject: name, project: undefined };
      return audited({ ...act, details: { kind, model, key: where } }, ports, async () => ({
        provider: await providers.add(config, key, makeDefault),
      }));
    },
    "provider.list": async () => ({ items: [...(await providers.list())] }),
    "provider.test": async ({ name }) => {
      const chosen = await providers.choose(name);
      const tested = await ports.test(chosen);
      ports.onTested(chosen.config.name, tested);
      return tested;
    },
    "provider.remove": async ({ name }, { caller }) => {
      const act = { actor: actorOf(caller), action: "provider.removed", subject: name, project: undefined };
      const isKnown = (await providers.list()).some((provider) => provider.name === name);
      await (isKnown ? audited(act, ports, () => providers.remove(name)) : providers.remove(name));
      return { removed: true };
    },
  };
}

/** A file of its own cannot share the store's transaction: the act is written down first, and its failure after it. */
async function audited<T>(act: AuditDraft, { store }: ProviderPorts, change: () => Promise<T>): Promise<T> {
  await store.transact("audit", (tx) => tx.audit.append(act));
  try {
    return await change();
  } catch (error) {
    await store.transact("audit", (tx) => tx.audit.append({ ...act, action: `${act.action}-failed` }));
    throw error;
  }
}
