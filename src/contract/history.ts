/** History: what the archive keeps of ended runs. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { SessionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

export const HistoryEntry = z.object({
  id: z.string().describe("Id of what it is about, for example a run"),
  session: SessionId,
  category: z.string(),
  title: z.string(),
  content: z.record(z.string(), z.unknown()),
  at: TimeMs,
});
export type HistoryEntry = Readonly<z.infer<typeof HistoryEntry>>;

export const list = defineOperation({
  name: "history.list",
  summary: "Search past runs, newest first: request, plan, changes, findings, cost",
  http: "GET /v1/history",
  actor: "anyone",
  input: z.strictObject({ query: z.string().max(200).optional().describe("Words that must all occur"), ...pageInput }),
  output: pageOf(HistoryEntry),
  errors: ["input.invalid"],
  example: { query: "discount" },
});
