/** Asks a provider for one word, to see whether address, key and model are right before a run depends on them. */
import { ModelFailure, type ModelFailureKind, type ProviderConfig } from "../../orchestration/models/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { asker } from "./create-model.ts";
import { ProviderFailure } from "./provider-failure.ts";

/** As the operation provider.test answers, with the kind of a failure besides. */
export type ProviderTest =
  /** `model`: as the provider names the model that answered. */
  | { readonly ok: true; readonly latencyMs: number; readonly model: string }
  | (Problem & { readonly ok: false; readonly latencyMs: number; readonly model: string });
type Problem = { readonly kind: ModelFailureKind; readonly problem: string; readonly fix?: string };

/** Room for a model that thinks before it speaks; some refuse the request when the limit ends their thinking. */
const maxOutputTokens = 512;

export async function testProvider(
  config: ProviderConfig,
  apiKey: string | undefined,
  { clock, signal = new AbortController().signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<ProviderTest> {
  const ask = asker(config, { apiKey, clock, retry: { attempts: 1 }, silenceMs: 30_000 });
  const started = clock.monotonic();
  try {
    const question = {
      system: "Answer with one word.",
      messages: [{ role: "user", content: "Say: ready" } as const],
      tools: [],
    };
    const { model } = await ask({ ...question, maxOutputTokens, signal });
    return { ok: true, latencyMs: clock.monotonic() - started, model };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { kind, message } = error;
    const { problem, fix } = error instanceof ProviderFailure ? error : { problem: message, fix: undefined };
    const told = { kind, problem, ...(fix !== undefined && { fix }) };
    return { ok: false, latencyMs: clock.monotonic() - started, model: config.model, ...told };
  }
}
