/** Working trees on request, on the command line. */
import { operationCommand } from "../operation-command.ts";

export const create = operationCommand("worktree.create", {
  fields: ["name"],
  print({ worktree, notice }, out) {
    if (notice !== undefined) out.note(notice);
    out.line(worktree.tree);
  },
});

export const list = operationCommand("worktree.list", {
  print({ items }, out) {
    if (items.length === 0) return out.line("No agent has its own worktree");
    const rows = items.map(({ name, agent, branch, tree }) => [name, agent, branch, tree]);
    out.table(["name", "agent", "branch", "tree"], rows);
  },
});

export const remove = operationCommand("worktree.remove", {
  fields: ["name"],
  print({ removed, quarantined }, out) {
    out.line(`Removed ${removed}`);
    if (quarantined !== undefined) out.line(`Unsaved work is kept as ${quarantined}`);
  },
});
