/** The folder of Gemini CLI's transcripts. */
import { join } from "node:path";
import { type ClientUsage, userHome } from "../transcripts/index.ts";
import { geminiReader } from "./read-transcript.ts";

export const geminiUsage: ClientUsage = {
  transcripts: (env) => ({
    folder: join(userHome(env), ".gemini", "tmp"),
    files: /(^|\/)chats\/session-[^/]*\.jsonl$/,
    reader: geminiReader,
  }),
};
