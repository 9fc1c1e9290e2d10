/** The folder of Claude Code's transcripts. */
import { join } from "node:path";
import { type ClientUsage, userHome } from "../transcripts/index.ts";
import { claudeCodeReader } from "./read-transcript.ts";

export const claudeCodeUsage: ClientUsage = {
  transcripts: (env) => ({
    folder: join(env.CLAUDE_CONFIG_DIR || join(userHome(env), ".claude"), "projects"),
    files: /\.jsonl$/,
    reader: claudeCodeReader,
  }),
};
