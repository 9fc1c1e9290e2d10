/**
 * Guards: what stands between an agent and a mistake, and what each does when nobody can be asked.
 *
 *   setting guards.<name> (fail-open | fail-closed) -> guard.list -> the hook that guards
 *   guard.override (user, with a reason, audited, for a while) --^
 *
 * A guard that lets something pass because nobody could be asked reports it as "degraded": it is counted and shown.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

export const GuardName = z.enum(["edit", "commit", "budget"]);
export type GuardName = z.infer<typeof GuardName>;

export const GuardMode = z.enum(["fail-open", "fail-closed"]);
export type GuardMode = z.infer<typeof GuardMode>;

const Guard = z.object({
  guard: GuardName,
  mode: GuardMode.describe("What it does when nobody can be asked: let pass and report it, or refuse"),
  override: z
    .object({ until: TimeMs, why: z.string() })
    .optional()
    .describe("The user lets everything pass until then"),
});
export type Guard = Readonly<z.infer<typeof Guard>>;

export const list = defineOperation({
  name: "guard.list",
  summary: "Show what each guard does when nobody can be asked, and which are overridden now",
  http: "GET /v1/guards",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({ items: z.array(Guard) }),
  errors: [],
  mcp: { untrusted: ["why"] },
  example: {},
});

export const override = defineOperation({
  name: "guard.override",
  summary: "Let everything pass one guard for a while; needs a reason, and goes into the audit",
  http: "POST /v1/guards/{guard}/override",
  actor: "user",
  input: z.strictObject({
    guard: GuardName,
    why: z.string().trim().min(1).max(500).describe("Reason, kept in the audit"),
    minutes: z.int().min(0).max(240).default(10).describe("How long; 0 ends an override"),
  }),
  output: z.object({ guard: Guard }),
  errors: ["input.invalid", "caller.denied"],
  mcp: { untrusted: ["why"] },
  example: { guard: "commit", why: "hot fix while the store is restored", minutes: 15 },
});
