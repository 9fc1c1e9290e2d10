/** Upkeep of the archive on the command line. */
import { operationCommand } from "../operation-command.ts";

export const compact = operationCommand("history.compact", {
  print({ dryRun, removed, stayed, summaries, tokens }, out) {
    if (removed === 0) return out.line(`Nothing to replace; ${stayed} entries stay`);
    const done = dryRun ? "Would replace" : "Replaced";
    out.line(
      `${done} ${removed} entries by ${summaries} summaries (${tokens.before} -> ${tokens.after} tokens); ${stayed} stay`,
    );
  },
});

export const snapshot = operationCommand("history.snapshot", {
  print: ({ snapshot: { id, entries, session } }, out) => out.line(`${id}  ${entries} entries of ${session}`),
});

export const restore = operationCommand("history.restore", {
  fields: ["id"],
  print({ snapshot: { entries, session }, removed, before }, out) {
    out.line(`Restored ${entries} entries of ${session}; removed ${removed} later ones`);
    out.line(`Undo: sylk history restore ${before.id}`);
  },
});

export const use = operationCommand("history.use", {
  fields: ["session"],
  print: ({ session, chosen }, out) =>
    out.line(chosen ? `Your entries and queries belong to ${session} now` : `Back to your current session, ${session}`),
});
