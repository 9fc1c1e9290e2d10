/**
 * Commands of a run that its model can influence, under the run's sandbox.
 *
 *   sandboxed -> run -> where the sandbox was in the way, one sentence after the output says so, and the way out
 *   ask       -> a person approves exactly this command, else it is refused
 *   refuse    -> refused
 *
 * Sylk's own commands that only look are sandboxed too, and ask for nothing.
 */
import type { CommandResult } from "../executors/index.ts";
import type { recordedCommand, RunContext } from "./run-context.ts";
import type { SandboxTerms } from "./sandbox-terms.ts";

type Ports = { readonly approve: (argv: readonly string[], signal: AbortSignal) => Promise<boolean> };

export function sandboxedCommand(
  command: ReturnType<typeof recordedCommand>,
  terms: SandboxTerms,
  { approve }: Ports,
): RunContext["command"] {
  return async ({ onlyLooks = false, ...request }) => {
    if (onlyLooks && terms.kind !== "sandboxed") return command(request);
    if (terms.kind === "refuse") return refused(`it needs a sandbox, and none works here: ${terms.reason}`);
    const signal = request.signal ?? new AbortController().signal;
    if (terms.kind === "ask" && !(await approve(request.argv, signal)))
      return refused(`it was not approved, and no sandbox works here: ${terms.reason}`);
    const result = await command(request);
    if (terms.kind !== "sandboxed") return result;
    if (isMissingInside(result)) return { ...result, end: "not-found" };
    refuseUnstarted(result);
    const said = explainSandbox(result, terms);
    return said === undefined ? result : { ...result, output: `${result.output.trimEnd()}\n${said}\n` };
  };
}

function refused(output: string): CommandResult {
  return { end: "refused", exitCode: undefined, output, truncated: false, durationMs: 0 };
}

/** The sandbox says that it did not find the command's own program. */
function isMissingInside({ end, exitCode, output }: CommandResult): boolean {
  return end === "exited" && exitCode === 1 && /^bwrap: execvp [^\n]*: No such file or directory\n?$/.test(output);
}

/** A sandbox that could not be made is not the command's failure. */
function refuseUnstarted({ end, exitCode, output }: CommandResult): void {
  if (end === "exited" && exitCode === 1 && /^bwrap: [^\n]*\n?$/.test(output))
    throw new Error(`the sandbox could not be started: ${output.trim()}`);
}

const readOnly = /read-only file system|EROFS/i;
const unreachable =
  /ENETUNREACH|EAI_AGAIN|network is unreachable|temporary failure in name resolution|could not resolve host|getaddrinfo ENOTFOUND/i;

function explainSandbox(
  { end, exitCode, output }: Pick<CommandResult, "end" | "exitCode" | "output">,
  { network }: { readonly network: boolean },
): string | undefined {
  if (end === "exited" && exitCode === 0) return undefined;
  if (readOnly.test(output))
    return "Sylk: this command ran in a sandbox, where only the run's tree, $TMPDIR and caches can be written; write there. The user can switch it off with runs.sandbox: off.";
  if (!network && unreachable.test(output))
    return "Sylk: this command ran in a sandbox without network; do without it. The user can allow it with runs.network: on.";
  return undefined;
}
