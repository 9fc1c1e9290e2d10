/** The folder of Codex's transcripts. */
import { join } from "node:path";
import { type ClientUsage, userHome } from "../transcripts/index.ts";
import { codexReader } from "./read-transcript.ts";

export const codexUsage: ClientUsage = {
  transcripts: (env) => ({
    folder: join(env.CODEX_HOME || join(userHome(env), ".codex"), "sessions"),
    files: /(^|\/)rollout-[^/]*\.jsonl$/,
    reader: codexReader,
  }),
};
