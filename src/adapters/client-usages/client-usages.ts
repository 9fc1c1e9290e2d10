/** The clients' own records of model calls, one row for each client that keeps some. Loads none of their hook readers. */
import { claudeCodeUsage } from "../claude-code/usage.ts";
import { codexUsage } from "../codex/usage.ts";
import { geminiUsage } from "../gemini/usage.ts";
import { opencodeUsage } from "../opencode/usage.ts";
import type { ClientUsage } from "../transcripts/index.ts";

export const clientUsages: readonly ClientUsage[] = [claudeCodeUsage, codexUsage, opencodeUsage, geminiUsage];
