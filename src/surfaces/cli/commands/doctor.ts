import { errorFamilies } from "../../../contract/errors.ts";
import type { WrittenCommand } from "../command.ts";
import { examine } from "../examine.ts";
import type { Finding } from "../finding.ts";
import { printable } from "../printable.ts";

const marks = { ok: "green", warning: "yellow", problem: "red" } as const;

export const doctor: WrittenCommand = {
  operation: "daemon.examine",
  example: "sylk doctor",
  details: "Exit code 7 when a part cannot be used, 2 when only a setting is wrong.",
  async run({ paths, env, cwd, out, json }) {
    const findings = await examine({ paths, env, cwd });
    const healthy = !findings.some(({ state }) => state === "problem");
    if (json) out.json({ healthy, findings });
    else for (const finding of findings) print(printable(finding));
    return healthy ? 0 : exitCodeOf(findings);

    function print({ state, check, what, fix }: Finding): void {
      out.line(`${out.paint(marks[state], state.padEnd(8))} ${check.padEnd(10)} ${what}`);
      if (fix !== undefined) out.line(`${" ".repeat(20)}fix: ${fix}`);
    }
  },
};

/** By family: a wrong setting is the user's to change, everything else is a thing that cannot be used now. */
function exitCodeOf(findings: readonly Finding[]): number {
  const onlySettings = findings.every(({ check, state }) => state !== "problem" || check === "settings");
  return onlySettings ? errorFamilies.invalid.exit : errorFamilies.unavailable.exit;
}
