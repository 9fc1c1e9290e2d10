/**
 * Settings that can be given on the command line: to `serve`, which uses them, to `up`, which passes them on, and to
 * `config show`, which tells what would hold.
 */
import type { SettingFlags, SettingKey } from "../../platform/config/index.ts";
import type { FlagTerms, FlagValues } from "./command.ts";

export const settingFlagTerms: Readonly<Record<string, FlagTerms>> = {
  "http-port": { describe: "loopback port; if it is in use, the next free one", value: "number" },
  "log-level": {
    describe: "least serious level that is logged",
    value: "level",
    choices: ["debug", "info", "warn", "error"],
  },
  "no-auto-resume": { describe: 'interrupted runs wait for "sylk resume" instead of continuing on their own' },
};

export function settingFlags(flags: FlagValues): SettingFlags {
  const given = {
    "http.port": flags["http-port"],
    "log.level": flags["log-level"],
    "runs.autoResume": flags["no-auto-resume"] === true ? "false" : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string"));
}

/** For a daemon that is started in the background: it reads them from its environment. Without any, nothing is loaded. */
export async function settingVariables(flags: FlagValues): Promise<Readonly<Record<string, string>>> {
  const given = Object.entries(settingFlags(flags));
  if (given.length === 0) return {};
  const { envNameOf } = await import("../../platform/config/index.ts");
  return Object.fromEntries(given.map(([key, value]) => [envNameOf(key as SettingKey), String(value)]));
}
