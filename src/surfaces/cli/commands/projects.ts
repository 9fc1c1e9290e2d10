/** Projects on the command line. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { OutputOf } from "../../../contract/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import { resolveId } from "../resolve-id.ts";
import { ago, countsText, megabytes } from "../wording.ts";

export const list = operationCommand("project.list", {
  print({ items }, out) {
    if (items.length === 0) return out.line("No projects yet; any command in a repository registers it");
    out.table(
      ["project", "agents", "items", "runs", "events", "size", "last active", "path", "id"],
      items.map((project) => [
        project.name,
        `${project.agents}${project.liveAgents > 0 ? ` (${project.liveAgents} live)` : ""}`,
        `${project.workItems}${project.openWorkItems > 0 ? ` (${project.openWorkItems} open)` : ""}`,
        `${project.runs}${project.unfinishedRuns > 0 ? ` (${project.unfinishedRuns} unfinished)` : ""}`,
        String(project.events),
        megabytes(project.bytes),
        ago(project.lastActivityAt),
        project.exists ? project.path : `${project.path} ${out.paint("yellow", "(gone)")}`,
        project.id,
      ]),
      { spare: ["id", "events", "size", "items"] },
    );
  },
});

const forgetNow = operationCommand("project.forget", {
  fields: ["target"],
  flags: { yes: { describe: "do not ask", short: "y" } },
  adjust: async (input, context) => ({ ...input, target: await targetOf(context) }),
  print: printForgotten,
});

export const forget: WrittenCommand = {
  ...forgetNow,
  details: "Asks first, unless --yes. Backups stay.",
  async run(context) {
    const { flags, out, connect } = context;
    if (flags.yes === true || flags["dry-run"] === true) return forgetNow.run(context);
    const client = await connect();
    const counted = await client.call("project.forget", { target: await targetOf(context), dryRun: true });
    for (const line of linesOf(printable(counted))) out.note(line);
    if (!(await confirm(`Forget ${counted.project.name}? Only a backup can undo this.`))) {
      out.line("Nothing was removed");
      return 1;
    }
    return forgetNow.run(context);
  },
};

/** A folder as it is typed, or an id, its start, or a project's name. A folder that is gone is still known by its path. */
async function targetOf({ args: [target], cwd, connect }: CommandContext): Promise<string> {
  const text = String(target);
  const folder = resolve(cwd, text);
  if (/[/\\]|^\.+$/.test(text) || existsSync(folder)) return folder;
  const { items } = await (await connect()).call("id.find", { text, kinds: ["prj"] });
  if (items.length === 0 && !text.startsWith("prj_")) return folder;
  return resolveId(text, ["prj"], "<target>", await connect());
}

function printForgotten(answer: OutputOf<"project.forget">, out: Output): void {
  for (const line of linesOf(answer)) out.line(line);
  out.note(answer.dryRun ? "nothing was removed" : "earlier backups still contain it");
}

function linesOf({ dryRun, project, removed, worktrees }: OutputOf<"project.forget">): readonly string[] {
  return [
    `${dryRun ? "Would forget" : "Forgot"} ${project.name} (${project.path}): ${countsText(removed)}`,
    ...worktrees.map(
      ({ tree, branch, removed: gone, why }) =>
        `${gone ? "removed" : "stays"}: ${tree}, branch ${branch}${gone ? "" : ` (${why ?? "--worktrees removes it"})`}`,
    ),
  ];
}
