/**
 * How commands of runs are started, decided from the user's settings and a real trial of the sandbox.
 *
 *   runs.sandbox off                 -> plain: the user's own choice, and said
 *   a trial succeeded                -> sandboxed
 *   none works, auto                 -> each command asks a person first
 *   none works, on                   -> each command is refused
 */
import type { Sandbox, SandboxPlaces } from "../executors/index.ts";

export type SandboxTerms =
  | ({ readonly kind: "sandboxed" } & Pick<SandboxPlaces, "hidden" | "network"> & {
        /** Holds a folder for the caches of each run. */
        readonly caches: string;
      })
  | { readonly kind: "off" }
  | { readonly kind: "ask" | "refuse"; readonly reason: string };

export type SandboxSettings = Pick<SandboxPlaces, "hidden" | "caches" | "network"> & {
  readonly mode: "auto" | "on" | "off";
};

export async function sandboxTerms(
  { mode, ...places }: SandboxSettings,
  sandbox: Pick<Sandbox, "state">,
): Promise<SandboxTerms> {
  if (mode === "off") return { kind: "off" };
  const state = await sandbox.state();
  if (state.enforced) return { kind: "sandboxed", ...places };
  return { kind: mode === "on" ? "refuse" : "ask", reason: state.reason };
}

/** Told once, at the start of a run; undefined where commands are sandboxed. */
export function sandboxNotice(terms: SandboxTerms): string | undefined {
  switch (terms.kind) {
    case "sandboxed":
      return undefined;
    case "off":
      return "its commands run without a sandbox, because runs.sandbox is off";
    case "ask":
      return `no sandbox works here (${terms.reason}), so each of its commands asks you first; "sylk doctor" says how to get one`;
    case "refuse":
      return `no sandbox works here (${terms.reason}), and runs.sandbox is on, so its commands are refused; "sylk doctor" says how to get one`;
  }
}
