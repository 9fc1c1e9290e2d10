/** For `sylk doctor`: whether the kernel keeps files of others read-only for shell commands here, and for which clients. */
import { resolveSettings } from "../../platform/config/index.ts";
import { entryPoints } from "./entry-points.ts";
import type { Finding, DoctorTerms } from "./finding.ts";

const check = "enforced";

export async function checkEnforcement({ paths, env }: DoctorTerms): Promise<Finding> {
  const clients = await entryPoints().clients();
  const { prefixed, unprefixed } = clients.examine({ paths, env });
  const others = unprefixed.length === 0 ? "" : `; not enforced for ${unprefixed.join(", ")}`;
  const mode = await enforceMode({ paths, env });
  if (mode === "off") return { check, state: "warning", what: "not enforced: guard.enforce is off" };
  const state = await clients.tryConfinement(paths);
  if (!state.enforced)
    return {
      check,
      state: mode === "on" ? "problem" : "warning",
      what: `not enforced: files of others can be written by shell commands: ${state.reason}`,
      fix: "docs/enforcement.md says what each reason means",
    };
  if (prefixed.length === 0)
    return { check, state: "ok", what: `possible here (${state.by}); no client starts commands by Sylk${others}` };
  return {
    check,
    state: "ok",
    what: `files of others are read-only for shell commands of ${prefixed.join(", ")} (${state.by})${others}`,
  };
}

async function enforceMode({ paths, env }: Pick<DoctorTerms, "paths" | "env">): Promise<string> {
  try {
    return (await resolveSettings({ userFile: paths.config, env, flags: {} })).settings["guard.enforce"];
  } catch {
    return "auto"; // the settings have a finding of their own
  }
}
