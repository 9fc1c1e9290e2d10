/** The guard's operations by hand: what hooks ask, for clients without hooks of their own and for looking at it. */
import { operationCommand } from "../operation-command.ts";
import { counted } from "../wording.ts";

export const start = operationCommand("guard.start", {
  without: ["project"],
  adjust: (input, { cwd }) => ({ ...input, project: { path: cwd } }),
  print: ({ line }, out) => out.line(line),
});

export const write = operationCommand("guard.write", {
  fields: ["paths"],
  print({ items, warning }, out) {
    for (const { path, state, reservation } of items) out.line([state, path, reservation ?? ""].join("  ").trimEnd());
    if (warning !== undefined) out.note(warning);
  },
});

export const used = operationCommand("guard.used", {
  print: ({ renewed, remembered }, out) => out.line(`${renewed} renewed, ${remembered} remembered`),
});

export const confine = operationCommand("guard.confine", {
  print({ state, reason, held, exceptions }, out) {
    if (state === "plain") return out.line("Other agents hold nothing here; commands run as they are");
    out.line(state === "enforced" ? "Read-only for your shell commands:" : `Not enforced: ${reason}. Held by others:`);
    for (const { path, holder, reservation } of held) out.line(`  ${path}  ${holder}  ${reservation}`);
    for (const exception of exceptions) out.note(exception);
  },
});

export const commit = operationCommand("guard.commit", {
  fields: ["paths"],
  print({ checked, overridden, warnings }, out) {
    out.line(
      `${counted(checked, "path")} checked; the commit is allowed${overridden ? " by an override, which is in the audit" : ""}`,
    );
    for (const warning of warnings) out.note(warning);
  },
});
