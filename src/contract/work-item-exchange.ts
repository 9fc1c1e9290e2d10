/**
 * Work items in and out, as beads' `issues.jsonl`: one JSON object per line.
 *
 *   file -> lines -> work-item.import -> items (each keeps its line) -> work-item.export -> lines -> file
 *
 * Invariant: a line whose item was not changed here comes out byte for byte as it went in; a changed one keeps every
 * field that we do not know.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { pageInput } from "./page.ts";

const Line = z.string().min(2).max(400_000);

export const importLines = defineOperation({
  name: "work-item.import",
  summary: "Import work items from a beads issues.jsonl; ids and links are kept, importing twice is safe",
  http: "POST /v1/work-items/import",
  actor: "agent",
  input: z.strictObject({
    lines: z.array(Line).min(1).max(500).describe("Lines of the file, unchanged"),
    firstLine: z.int().min(1).default(1).describe("Line number of the first one in the file"),
  }),
  output: z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    openLinks: z.int().describe("Links to items not imported yet; created once those are"),
    refusedLinks: z.array(z.string()).describe("Links refused because they would create a cycle"),
  }),
  errors: ["input.invalid", "agent.ended"],
  example: { lines: ['{"id":"bd-a3f8","title":"Rate-limit POST /orders","status":"open","priority":1}'] },
});

export const exportLines = defineOperation({
  name: "work-item.export",
  summary: "Export work items as a beads issues.jsonl, imported ones in their original order",
  http: "GET /v1/work-items/export",
  actor: "anyone",
  input: z.strictObject(pageInput),
  output: z.object({ lines: z.array(z.string()), nextCursor: z.string().optional() }),
  errors: ["input.invalid", "agent.unknown-project"],
  example: { limit: 100 },
});
