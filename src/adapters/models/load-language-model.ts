/**
 * The AI SDK client of a provider. The SDK costs about 0.1 s and 10 MB, so it is loaded by the first question, and of
 * the providers only the one that is asked.
 *
 * Address and key are always given: left out, the SDK would take them from variables of the daemon's environment.
 */
import type * as Ai from "ai";
import type { ProviderConfig } from "../../orchestration/models/index.ts";
import { ProviderFailure } from "./provider-failure.ts";

type Sdk = typeof Ai;
type ProviderOptions = NonNullable<Parameters<Sdk["streamText"]>[0]["providerOptions"]>;

export type LoadedModel = {
  readonly sdk: Sdk;
  readonly client: Ai.LanguageModel;
  readonly providerOptions: ProviderOptions;
};

type Client = Omit<LoadedModel, "sdk">;

export async function loadLanguageModel(config: ProviderConfig, apiKey: string | undefined): Promise<LoadedModel> {
  if (config.kind !== "openai-compatible" && !apiKey) throw keyMissing(config);
  if (!isPlainAddress(config)) throw unusableAddress(config);
  const [sdk, client] = await Promise.all([import("ai"), clients[config.kind](config, apiKey ?? "")]);
  globalThis.AI_SDK_LOG_WARNINGS = false; // they would land on stderr, between our own lines
  return { sdk, ...client };
}

const clients: Record<ProviderConfig["kind"], (config: ProviderConfig, apiKey: string) => Promise<Client>> = {
  async anthropic({ model, baseUrl = "https://api.anthropic.com/v1" }, apiKey) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Each step sends the whole conversation again; Anthropic reads the old part from its cache only when asked to.
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
    return { client: createAnthropic({ apiKey, baseURL: baseUrl })(model), providerOptions };
  },
  async openai({ model, baseUrl = "https://api.openai.com/v1", api = "responses" }, apiKey) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    // Not stored: the conversation is ours, and each request then carries all of it instead of references.
    const providerOptions: ProviderOptions = api === "responses" ? { openai: { store: false } } : {};
    return { client: createOpenAI({ apiKey, baseURL: baseUrl })[api](model), providerOptions };
  },
  async google({ model, baseUrl = "https://generativelanguage.googleapis.com/v1beta" }, apiKey) {
    const { createGoogle } = await import("@ai-sdk/google");
    return { client: createGoogle({ apiKey, baseURL: baseUrl })(model), providerOptions: {} };
  },
  async "openai-compatible"({ name, model, baseUrl = "" }, apiKey) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const settings = { name, baseURL: baseUrl, includeUsage: true, ...(apiKey && { apiKey }) };
    return { client: createOpenAICompatible(settings)(model), providerOptions: {} };
  },
};

function keyMissing({ name, keyVariable }: ProviderConfig): ProviderFailure {
  const fix = keyVariable ? `set the variable ${keyVariable}` : `give it one with: sylk provider add ${name}`;
  return new ProviderFailure("user-fixable", { problem: `Provider ${name} has no key`, fix });
}

/** A password or a key in an address would end up in messages and logs. */
function isPlainAddress({ kind, baseUrl }: ProviderConfig): boolean {
  if (baseUrl === undefined) return kind !== "openai-compatible"; // the only one without an address of its own
  const url = URL.parse(baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
}

function unusableAddress({ name }: ProviderConfig): ProviderFailure {
  return new ProviderFailure("user-fixable", {
    problem: `Provider ${name} has no plain http or https address`,
    fix: `give it one without user, password, query and fragment: sylk provider add ${name} --base-url …`,
  });
}
