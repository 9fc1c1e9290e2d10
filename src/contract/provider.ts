/** Providers: where models come from. Keys live in a 0600 file or in a variable that is named, never in the store. */
import * as z from "zod";
import { defineOperation } from "./define.ts";

const ProviderName = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, "a name is lower-case letters, digits and dashes");

export const ProviderKind = z.enum(["anthropic", "openai", "google", "openai-compatible"]);

export const Provider = z.object({
  name: ProviderName,
  kind: ProviderKind,
  model: z.string(),
  baseUrl: z.string().optional(),
  key: z.string().describe("Where the key is: file, a variable's name, or none"),
  isDefault: z.boolean(),
  problem: z.string().optional().describe("Why it cannot be used with this configuration"),
});
export type Provider = Readonly<z.infer<typeof Provider>>;

/** It is shown and logged; what authenticates must not be. A text that is not an address was refused before. */
function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

export const add = defineOperation({
  name: "provider.add",
  summary: "Configure a model provider, or change one",
  http: "POST /v1/providers",
  actor: "user",
  input: z
    .strictObject({
      name: ProviderName.describe("Your name for it"),
      kind: ProviderKind,
      model: z.string().min(1).max(200).describe("Model to ask"),
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .max(500)
        .refine(hasNoCredentials, "leave user and password out of the address; a key goes into key or keyVariable")
        .optional()
        .describe("Address of a server other than the provider's own"),
      api: z.enum(["chat", "responses"]).optional().describe("OpenAI protocol of its server"),
      keyVariable: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/)
        .optional()
        .describe("Environment variable that holds the key"),
      key: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe("The key itself; kept in a file only you can read (on the command line: - reads standard input)"),
      makeDefault: z.boolean().default(false).describe("Use it when a run names none"),
    })
    .refine(({ kind, baseUrl }) => kind !== "openai-compatible" || baseUrl !== undefined, {
      path: ["baseUrl"],
      message: "an openai-compatible server has no address of its own; say where it is",
    })
    .refine(({ kind, api }) => api === undefined || kind === "openai", {
      path: ["api"],
      message: "only openai has two protocols; leave it out",
    }),
  output: z.object({ provider: Provider }),
  errors: ["input.invalid"],
  verbatim: ["key", "baseUrl"],
  example: { name: "claude", kind: "anthropic", model: "claude-sonnet-4-5", keyVariable: "ANTHROPIC_API_KEY" },
});

export const list = defineOperation({
  name: "provider.list",
  summary: "List configured model providers",
  http: "GET /v1/providers",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({ items: z.array(Provider) }),
  errors: [],
  example: {},
});

const byName = z.strictObject({ name: ProviderName.describe("Name it was added with") });

export const test = defineOperation({
  name: "provider.test",
  summary: "Test a provider's key and model with a one-word request",
  http: "POST /v1/providers/{name}/test",
  actor: "user",
  input: byName,
  output: z.object({
    ok: z.boolean(),
    latencyMs: z.int(),
    model: z.string(),
    kind: z
      .enum(["transient", "rate-limit", "provider-degraded", "user-fixable", "permanent", "aborted"])
      .optional()
      .describe("Of a failure: what it is about"),
    problem: z.string().optional(),
    fix: z.string().optional(),
  }),
  errors: ["input.invalid", "provider.not-found"],
  example: { name: "claude" },
});

export const remove = defineOperation({
  name: "provider.remove",
  summary: "Remove a provider and its key",
  http: "DELETE /v1/providers/{name}",
  actor: "user",
  input: byName,
  output: z.object({ removed: z.literal(true) }),
  errors: ["input.invalid", "provider.not-found"],
  example: { name: "claude" },
});
