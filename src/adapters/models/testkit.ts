/** A scripted server, models that ask it through every protocol, and tools that remember how they were used. */
import * as z from "zod";
import type { Conversation, ModelStep, ModelTool, ProviderConfig } from "../../orchestration/models/index.ts";
import { manualClock, type ManualClock } from "../../platform/clock/index.ts";
import { createModel, type ModelOptions } from "./create-model.ts";
import { Scenario } from "./rehearsal/scenario.ts";
import { type ScriptedServer, startScriptedServer } from "./rehearsal/scripted-server.ts";
import type { RetryNotice } from "./retry.ts";

/** One way of asking for each protocol that the scripted server speaks. */
export const protocols = {
  "anthropic messages": { kind: "anthropic" },
  "openai responses": { kind: "openai" },
  "openai chat": { kind: "openai", api: "chat" },
  "openai-compatible": { kind: "openai-compatible" },
} as const satisfies Record<string, Partial<ProviderConfig>>;
export type Protocol = keyof typeof protocols;
export const protocolNames = Object.keys(protocols) as Protocol[];

export type Stage = ScriptedServer & {
  readonly clock: ManualClock;
  readonly retries: RetryNotice[];
  config(protocol: Protocol, changes?: Partial<ProviderConfig>): ProviderConfig;
  /** Each retry moves the clock by its wait, so that nothing sleeps. */
  model(
    protocol: Protocol,
    changes?: Partial<ProviderConfig>,
    options?: Partial<ModelOptions>,
  ): ReturnType<typeof createModel>;
};

export async function stage(turns: z.input<typeof Scenario>["turns"]): Promise<Stage> {
  const clock = manualClock();
  const server = await startScriptedServer({ scenario: Scenario.parse({ name: "test", turns }), clock });
  const retries: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice) => {
    retries.push(notice);
    clock.advance(notice.waitMs);
  };
  const config: Stage["config"] = (protocol, changes = {}) => ({
    name: "acme",
    model: "rehearsal",
    baseUrl: server.url,
    ...protocols[protocol],
    ...changes,
  });
  return {
    ...server,
    clock,
    retries,
    config,
    model: (protocol, changes, options) =>
      createModel(config(protocol, changes), {
        apiKey: server.apiKey,
        clock,
        retry: { random: () => 0, onRetry },
        ...options,
      }),
  };
}

export type RecordingTool = ModelTool & { readonly inputs: unknown[] };

export function recordingTool(
  name: string,
  run: (input: { readonly path: string }, call: Parameters<ModelTool["run"]>[1]) => unknown = ({ path }) =>
    `read ${path}`,
  final = false,
): RecordingTool {
  const inputs: unknown[] = [];
  return {
    name,
    description: `The tool ${name}`,
    input: z.object({ path: z.string() }),
    inputs,
    final,
    async run(input, call) {
      inputs.push(input);
      return run(input as { path: string }, call);
    },
  };
}

export function conversation(changes: Partial<Conversation> = {}): Conversation & { readonly seen: ModelStep[] } {
  const seen: ModelStep[] = [];
  return {
    system: "You are a test.",
    prompt: "Rename the function.",
    tools: [],
    maxSteps: 10,
    maxOutputTokens: 1_000,
    signal: new AbortController().signal,
    onStep: (step) => void seen.push(step),
    seen,
    ...changes,
  };
}

/** Settles in any case, so that a failure is looked at like a value. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
