import type { Command } from "../command.ts";
import { examine, type Finding } from "../examine.ts";
import { printable } from "../printable.ts";

const marks = { ok: "green", warning: "yellow", problem: "red" } as const;

export const doctor: Command = {
  words: "doctor",
  summary: "Check everything a user can fix, and say how",
  example: "sylk doctor",
  details: "Exit code 7 when there is a problem.",
  async run({ paths, env, cwd, out, json }) {
    const findings = await examine({ paths, env, cwd });
    const healthy = !findings.some(({ state }) => state === "problem");
    if (json) out.json({ healthy, findings });
    else for (const finding of findings) print(printable(finding));
    return healthy ? 0 : 7;

    function print({ state, check, what, fix }: Finding): void {
      out.line(`${out.paint(marks[state], state.padEnd(8))} ${check.padEnd(10)} ${what}`);
      if (fix !== undefined) out.line(`${" ".repeat(20)}fix: ${fix}`);
    }
  },
};
