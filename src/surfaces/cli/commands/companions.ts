/** What is installed beside the daemon, on the command line. */
import { operationCommand } from "../operation-command.ts";

export const list = operationCommand("companion.list", {
  details: '"sylk install" adds a client; "sylk upgrade" makes what is outdated or missing anew.',
  print({ items }, out) {
    if (items.length === 0) return out.line('Nothing is installed yet; "sylk install claude-code" begins');
    out.table(
      ["companion", "state", "for"],
      items.map(({ name, state, tree = "all repositories" }) => [name, state, tree]),
    );
    for (const { name, why } of items) for (const reason of why) out.line(`${name}: ${reason}`);
  },
});
