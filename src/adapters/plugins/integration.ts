/**
 * `integration.json`, beside a plugin's own manifest and never in it: what the plugin does by itself, what only together with
 * Sylk, and what it can do for others. Its JSON schema is published as docs/reference/integration.schema.json.
 */
import * as z from "zod";

const Name = z.string().trim().toLowerCase();
const Feature = z.string().min(1).max(200);

export const Integration = z.object({
  $schema: z.string().optional(),
  standalone_features: z.array(Feature).max(50).describe("What works where Sylk was never set up"),
  integrated_features: z
    .array(
      z.object({
        feature: Feature,
        requires: z.array(z.enum(["daemon", "git", "run"])).min(1).describe("What it does not work without"),
      }),
    )
    .max(50)
    .describe("What works together with Sylk only"),
  companions: z
    .array(z.object({ name: z.string().min(1).max(64), why: Feature }))
    .max(20)
    .default([])
    .describe("What goes well with it"),
  capabilities: z.array(Name).max(100).default([]).describe("What agents with this plugin can do"),
  reviewers: z
    .array(z.object({ name: Name, capabilities: z.array(Name).max(20).default([]) }))
    .max(100)
    .default([])
    .describe("Each is declared as the capability reviewer:<name>"),
});
