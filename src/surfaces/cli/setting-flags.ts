/** Settings that can be given on the command line: to `serve`, which uses them, and to `config show`, which tells what would hold. */
import type { SettingFlags } from "../../platform/config/index.ts";
import type { FlagTerms, FlagValues } from "./command.ts";

export const settingFlagTerms: Readonly<Record<string, FlagTerms>> = {
  "http-port": { describe: "loopback port; the next free one is taken if it is in use", value: "number" },
  "log-level": {
    describe: "least serious level that is logged",
    value: "level",
    choices: ["debug", "info", "warn", "error"],
  },
};

export function settingFlags(flags: FlagValues): SettingFlags {
  const given = { "http.port": flags["http-port"], "log.level": flags["log-level"] };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string"));
}
