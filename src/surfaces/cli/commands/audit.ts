/** Privileged acts on the command line: the list, and whether it is still as it was written. */
import { resolve } from "node:path";
import type { AuditActor, AuditEntry } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";

export const list = operationCommand("audit.list", {
  example: "sylk audit list --action run --since 2026-11-01",
  details: "--since takes a date too: 2026-11-01, or 2026-11-01T08:00Z.",
  adjust: ({ since, ...rest }) => ({ ...rest, ...(since === undefined ? {} : { since: timeOf(since) }) }),
  print({ items, nextCursor }, out) {
    if (items.length === 0) return out.line("No privileged actions match");
    out.table(
      ["#", "when", "who", "what", "to", "details"],
      items.map((entry) => [
        String(entry.sequence),
        new Date(entry.at).toISOString().slice(0, 19).replace("T", " "),
        nameOf(entry.actor),
        entry.action,
        entry.subject,
        factsOf(entry),
      ]),
    );
    if (nextCursor !== undefined) out.note(`more: sylk audit list --cursor ${nextCursor}`);
  },
});

export const verify = operationCommand("audit.verify", {
  details: "Exit code 7 when a row was changed or removed; the output names the first such row.",
  adjust: ({ file, ...rest }, { cwd }) => ({
    ...rest,
    ...(file === undefined ? {} : { file: resolve(cwd, file as string) }),
  }),
  exitCode: ({ intact }) => (intact ? 0 : 7),
  print({ intact, entries, lastHash, head, problem }, out) {
    if (intact)
      return out.line(
        entries === 0
          ? "Intact: nothing is recorded yet"
          : `Intact: rows 1 to ${entries} are unchanged${head === "not-compared" ? "; only the home itself can tell whether later rows are missing" : ""}. Last hash ${lastHash}`,
      );
    out.line(`${out.paint("red", "Broken")} at row ${problem!.sequence}: ${problem!.what}`);
    out.line(`Rows before it: ${entries} good. ${problem!.fix}`);
  },
});

function nameOf({ kind, name, id }: AuditActor): string {
  return kind === "agent" ? (name ?? id ?? "an agent") : kind;
}

function factsOf({ details }: AuditEntry): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value.slice(0, 40) : JSON.stringify(value)}`)
    .join(" ");
}

/** A text that is not a date either stays as it is, so that the daemon names the field it refuses. */
function timeOf(since: unknown): unknown {
  const time = typeof since === "string" ? Date.parse(since) : Number.NaN;
  return Number.isNaN(time) ? since : time;
}
