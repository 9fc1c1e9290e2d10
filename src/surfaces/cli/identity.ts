/** Who a command is for the daemon, as headers: an agent's token, or the user's with the project and the agent acted for. */
import { readUserToken } from "../../platform/home/index.ts";
import type { CommandContext } from "./command.ts";

export function identityHeaders({
  env,
  paths,
  cwd,
  flags,
}: Pick<CommandContext, "env" | "paths" | "cwd" | "flags">): Record<string, string> {
  if (env.SYLK_TOKEN) return { authorization: `Bearer ${env.SYLK_TOKEN}` };
  const actAs = typeof flags.as === "string" ? flags.as : env.SYLK_AGENT;
  return {
    authorization: `Bearer ${readUserToken(paths.token) ?? ""}`,
    "sylk-project": encodeURIComponent(cwd),
    ...(actAs ? { "sylk-agent": encodeURIComponent(actAs) } : {}),
  };
}
