/** For `sylk doctor`: whether commands of runs are sandboxed here, by a real trial. */
import { resolveSettings, type Settings } from "../../platform/config/index.ts";
import { entryPoints } from "./entry-points.ts";
import type { Finding, DoctorTerms } from "./finding.ts";

const check = "sandbox";

export async function checkSandbox(terms: DoctorTerms): Promise<Finding> {
  const { mode, network } = await sandboxSettings(terms);
  if (mode === "off")
    return {
      check,
      state: "warning",
      what: "off: commands of runs can write and read everything you can, because runs.sandbox is off",
      fix: "set runs.sandbox: auto in your config.yaml, then sylk down && sylk up",
    };
  const state = await (await entryPoints().clients()).trySandbox({ network });
  if (!state.enforced)
    return {
      check,
      state: mode === "on" ? "problem" : "warning",
      what: `commands of runs ${mode === "on" ? "are refused" : "ask you first"}, because no sandbox works here: ${state.reason}`,
      fix: "install bubblewrap (Debian: apt-get install bubblewrap); docs/running-requests.md says what else it needs",
    };
  const reach = network ? "with network, because runs.network is on" : "without network";
  return { check, state: "ok", what: `commands of runs are sandboxed (${state.by}), ${reach}` };
}

type SandboxSettings = { readonly mode: Settings["runs.sandbox"]; readonly network: boolean };

async function sandboxSettings({ paths, env }: Pick<DoctorTerms, "paths" | "env">): Promise<SandboxSettings> {
  try {
    const { settings } = await resolveSettings({ userFile: paths.config, env, flags: {} });
    return { mode: settings["runs.sandbox"], network: settings["runs.network"] === "on" };
  } catch {
    return { mode: "auto", network: false }; // the settings have a finding of their own
  }
}
