/** `--wait[=time]`: wait for what others hold, five minutes unless a time is given. */
import type { FlagValues } from "./command.ts";
import { duration } from "./wording.ts";

export const waitFlag = {
  wait: { describe: "wait for it, at most this long (default 5m): 30s, 5m", optionalValue: "time" },
} as const;

const defaultMs = 300_000;

export function waitOf({ wait }: FlagValues): { readonly waitMs?: unknown } {
  if (wait === undefined) return {};
  return { waitMs: wait === true ? defaultMs : duration(String(wait)) };
}
