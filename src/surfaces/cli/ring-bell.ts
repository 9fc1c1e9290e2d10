/** Rings the bell of a terminal that watches, where the user wants that. */
import { resolveSettings } from "../../platform/config/index.ts";
import type { CommandContext } from "./command.ts";

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

export async function ringBell(
  { paths, env }: Pick<CommandContext, "paths" | "env">,
  terminal: Terminal = process.stderr,
): Promise<void> {
  if (terminal.isTTY !== true) return;
  const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} });
  if (settings["notify.bell"]) terminal.write("\u0007");
}
