/** Findings: structured observations with a place and evidence, made by checks and by agents. */
import * as z from "zod";
import { FindingId } from "./ids.ts";

const FindingSeverity = z.enum(["blocking", "important", "informational"]);

export const Finding = z.object({
  id: FindingId,
  severity: FindingSeverity,
  category: z.string().describe("What kind of check found it: lint, types, tests, …"),
  summary: z.string(),
  files: z.array(z.object({ path: z.string(), line: z.int().optional() })),
  evidence: z.string().optional().describe("What the tool printed"),
  by: z.string().describe("Role that found it"),
});
export type Finding = Readonly<z.infer<typeof Finding>>;
