/** Rings the bell of a terminal that watches, where the user wants that, outside of quiet hours. */
import { systemClock } from "../../platform/clock/index.ts";
import { resolveSettings } from "../../platform/config/index.ts";
import { quietLeftMs } from "../../platform/quiet-hours.ts";
import type { CommandContext } from "./command.ts";

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

export async function ringBell(
  { paths, env }: Pick<CommandContext, "paths" | "env">,
  terminal: Terminal = process.stderr,
): Promise<void> {
  if (terminal.isTTY !== true) return;
  const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} });
  const isQuiet = quietLeftMs(settings["notify.quietHours"], systemClock().now()) > 0;
  if (settings["notify.bell"] && !isQuiet) terminal.write("\u0007");
}
