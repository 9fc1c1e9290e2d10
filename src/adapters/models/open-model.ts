/**
 * The model of a run: the configured provider, or a scripted server that plays a scenario. Both are the same client code
 * over HTTP; a rehearsal differs in its address and in its label.
 */
import type { Model, Providers, ProviderWithKey } from "../../orchestration/models/index.ts";
import { DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { createModel } from "./create-model.ts";
import { InvalidScenario } from "./rehearsal/invalid-scenario.ts";
import { readScenario, type Scenario } from "./rehearsal/scenario.ts";
import { startScriptedServer } from "./rehearsal/scripted-server.ts";
import { type ProviderTest, testProvider } from "./test-provider.ts";

type Choice = { readonly rehearse?: string | undefined; readonly provider: ProviderWithKey | undefined };
export type OpenModel = Model & { close(): Promise<void> };

export async function openModel({ rehearse, provider }: Choice, clock: Clock): Promise<OpenModel> {
  if (rehearse === undefined) {
    if (provider === undefined) throw new Error("a run without a rehearsal needs a provider");
    return { ...createModel(provider.config, { apiKey: provider.apiKey, clock }), close: async () => {} };
  }
  const server = await startScriptedServer({ scenario: await scenarioAt(rehearse), clock });
  const model = createModel(
    { name: "rehearsal", kind: "anthropic", model: "rehearsal", baseUrl: server.url, label: "rehearsal" },
    { apiKey: server.apiKey, clock },
  );
  return { ...model, close: () => server.close() };
}

/** Refuses before a run begins what could never answer. */
export async function checkModel(
  { rehearse, provider }: { readonly rehearse?: string | undefined; readonly provider: string | undefined },
  providers: Providers,
): Promise<void> {
  if (rehearse === undefined) await providers.choose(provider);
  else await scenarioAt(rehearse);
}

async function scenarioAt(file: string): Promise<Scenario> {
  try {
    return await readScenario(file);
  } catch (error) {
    if (!(error instanceof InvalidScenario)) throw error;
    throw new DomainError("scenario.invalid", error.message, { details: { problems: error.problems }, cause: error });
  }
}

export function testConfigured({ config, apiKey }: ProviderWithKey, clock: Clock): Promise<ProviderTest> {
  return testProvider(config, apiKey, { clock });
}
