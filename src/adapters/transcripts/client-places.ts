/** Where clients write down their conversations, by their own variables where they have one. */
import { homedir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;
export type ClientPlaces = {
  readonly claudeCode: string;
  readonly codex: string;
  readonly gemini: string;
  readonly opencode: string;
};

export function clientPlaces(env: Env): ClientPlaces {
  const home = env.HOME || homedir();
  return {
    claudeCode: join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects"),
    codex: join(env.CODEX_HOME || join(home, ".codex"), "sessions"),
    gemini: join(home, ".gemini", "tmp"),
    opencode: join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode", "opencode.db"),
  };
}
