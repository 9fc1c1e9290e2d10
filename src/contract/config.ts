/**
 * Settings of a repository and the user's consent to them.
 *
 *   a repository's .sylk/config.yaml may tighten guards; what it loosens counts only after config.trust
 *
 * The consent names the hash of the file's text, so that a changed file asks again.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";

const Tree = z.string().min(1).max(4096).describe("Root folder of the working tree whose .sylk/config.yaml is meant");
const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "a SHA-256 as 64 hexadecimal digits")
  .describe("SHA-256 of the file's text as you read it");

export const trust = defineOperation({
  name: "config.trust",
  summary: "Agree to what a repository's settings loosen, until the file changes; audited",
  http: "POST /v1/config/trust",
  actor: "user",
  input: z.strictObject({ path: Tree, digest: Digest }),
  output: z.object({
    file: z.string(),
    digest: z.string(),
    loosens: z.array(
      z.object({
        key: z.string(),
        value: z.string().describe("What the repository's file says"),
        own: z.string().describe("Your own value, or the default"),
      }),
    ),
  }),
  errors: ["input.invalid"],
  verbatim: ["path", "digest"],
  example: { path: "/home/ada/shop", digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
});

export const distrust = defineOperation({
  name: "config.distrust",
  summary: "Take back the consent to a repository's settings",
  http: "POST /v1/config/distrust",
  actor: "user",
  input: z.strictObject({ path: Tree }),
  output: z.object({ file: z.string(), wasTrusted: z.boolean() }),
  errors: ["input.invalid"],
  verbatim: ["path"],
  example: { path: "/home/ada/shop" },
});
