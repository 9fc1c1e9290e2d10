/**
 * The token ledger: every answered model call once, from every client.
 *
 *   transcripts of clients, own runs -> usage records, one a call -> totals
 *
 * Two meters that are never mixed: billed tokens, and the context the model had in view. Unknown is null, never zero.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

const Count = z.int().min(0);
const Tokens = Count.nullable();

export const LedgerBy = z.enum(["session", "agent", "role", "model", "day", "client", "work-item", "node"]);
export type LedgerBy = z.infer<typeof LedgerBy>;

export const LedgerTotal = z.object({
  name: z
    .string()
    .describe(
      "The session, agent, role, model, day (UTC), client, work item or node of a run; none where there is none",
    ),
  calls: Count,
  input: Tokens.describe("Billed as fresh input; null where no call told"),
  output: Tokens.describe("With reasoning"),
  cacheRead: Tokens,
  cacheWrite: Tokens,
  unknown: z
    .object({ input: Count, output: Count, cacheRead: Count, cacheWrite: Count })
    .describe("Calls that did not tell, by part; they are in no sum"),
  context: z
    .object({
      peak: Count,
      last: Count,
      now: z
        .object({ used: Count, size: Count.optional().describe("Of the whole window"), at: TimeMs })
        .optional()
        .describe("By session, where its client's status line told it: how full the window is"),
    })
    .nullable()
    .describe("Tokens the model had in view: at the most, and at the last call"),
  usd: z.number().nullable().describe("Cost of the calls with a known price; null without any"),
  unpriced: Count.describe("Calls without a known price"),
});
export type LedgerTotal = Readonly<z.infer<typeof LedgerTotal>>;

export const LedgerReport = z.object({
  by: LedgerBy,
  since: TimeMs.optional(),
  total: LedgerTotal,
  items: z.array(LedgerTotal).describe("The most tokens first; days by date"),
  left: Count.describe("Further items beyond the limit; they are in the total"),
  sources: z
    .array(z.object({ client: z.string(), files: Count, unreadable: Count.describe("Lines that could not be read") }))
    .describe("What was read"),
  prices: z
    .array(
      z.object({ model: z.string(), from: TimeMs, source: z.string().describe("Source of the price, and its date") }),
    )
    .describe("Prices used for the cost; a model may end in an asterisk"),
  missing: z.array(z.string()).describe("Left out of the sums, and why"),
});
export type LedgerReport = Readonly<z.infer<typeof LedgerReport>>;

export const show = defineOperation({
  name: "ledger.show",
  summary: "Show tokens, context and money used by all clients and runs",
  http: "GET /v1/ledger",
  actor: "anyone",
  input: z.strictObject({
    by: LedgerBy.default("model").describe("Group by"),
    since: TimeMs.optional().describe("Only calls from this time on"),
    here: z
      .boolean()
      .default(false)
      .describe("Only calls of this project; a call of a session that never registered belongs to none"),
    limit: z.int().min(1).max(1_000).default(50).describe("Most items to return"),
  }),
  output: LedgerReport,
  errors: ["input.invalid", "settings.invalid", "agent.unknown-project"],
  mcp: { untrusted: ["name"] },
  example: { by: "day", limit: 30 },
});
