/**
 * The program that opencode loads into its own process (`plugin.js`). It asks through the client library, which waits at most
 * one second for an answer. Its own errors never reach the tool; only a denial does.
 *
 *   tool.execute.before -> POST /v1/hooks/opencode/tool -> "<verdict>\n<text>" -> throw on deny
 *   chat.message        -> mail, into the system prompt of this turn -> session.idle: it was shown
 *
 * Mail never starts a turn: a prompt of ours at the end of one could keep two sessions writing to each other for ever.
 */
import { fillShippedFile } from "../../platform/shipped-files.ts";
import { libraryLoader } from "../client-library/index.ts";

/** `home` undefined: looked up at each start, so that the text is the same on every machine. */
export function opencodePlugin(home: string | undefined): string {
  return fillShippedFile("adapters/opencode/plugin.js", {
    HOME: home === undefined ? 'process.env.SYLK_HOME || join(homedir(), ".sylk")' : JSON.stringify(home),
    LOADER_TEXT: libraryLoader().trimEnd(),
  });
}
