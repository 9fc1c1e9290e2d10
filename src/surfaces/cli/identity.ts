/** The identity of a command, as headers for the daemon: an agent's token, or the user's with the project and the agent acted for. */
import { readUserToken } from "../../platform/home/index.ts";
import { identityHeaders as headersOf } from "../client/index.ts";
import type { CommandContext } from "./command.ts";
import { surroundingsOf } from "./surrounding-session.ts";

export function identityHeaders({
  env,
  paths,
  cwd,
  flags,
}: Pick<CommandContext, "env" | "paths" | "cwd" | "flags">): Record<string, string> {
  if (env.SYLK_TOKEN) return headersOf({ token: env.SYLK_TOKEN });
  const actAs = typeof flags.as === "string" ? flags.as : env.SYLK_AGENT || undefined;
  return headersOf({ token: readUserToken(paths.token) ?? "", project: cwd, ...surroundingsOf(env, actAs) });
}
