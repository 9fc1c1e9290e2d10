/** The store on the command line: copied, written out, relieved of what is old. */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { OutputOf } from "../../../contract/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { findDaemon } from "../daemon-link.ts";
import { entryPoints } from "../entry-points.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { countsText, counted, megabytes, pastTime } from "../wording.ts";

const copyOfRunning = operationCommand("store.backup", {
  example: "sylk backup ~/sylk-before-the-upgrade.db",
  fields: ["file"],
  adjust: withAbsoluteFile,
  print: printBackup,
});

export const backup: WrittenCommand = {
  ...copyOfRunning,
  details:
    "Works with and without a daemon, and starts none. Without a file the copy goes into the folder backups of the home.",
  async run(context) {
    const { paths, args, cwd, json, out } = context;
    if ((await findDaemon(paths)) !== "absent") return copyOfRunning.run(context);
    const [file] = args;
    const store = await entryPoints().store();
    const copy = store.backup(paths, typeof file === "string" ? resolve(cwd, file) : undefined);
    // A daemon starts at this very moment: it will make the copy.
    if (copy === undefined) return copyOfRunning.run(context);
    if (json) out.json(copy);
    else printBackup(copy, out);
  },
};

function printBackup({ file, bytes }: OutputOf<"store.backup">, out: Output): void {
  out.line(`Copied to ${file} (${megabytes(bytes)}); "sylk restore ${file}" restores it`);
}

function withAbsoluteFile(input: Record<string, unknown>, { cwd }: CommandContext): Record<string, unknown> {
  return typeof input.file === "string" ? { ...input, file: resolve(cwd, input.file) } : input;
}

const exportToFile = operationCommand("store.export", {
  example: "sylk export --project . > records.jsonl",
  fields: ["file"],
  without: ["only"],
  flags: { project: { describe: "only the records of the project in this folder", value: "folder" } },
  adjust: (input, context) => ({
    ...withAbsoluteFile(input, context),
    ...(context.flags.project === undefined ? {} : { only: context.cwd }),
  }),
  print: ({ file, bytes, records }, out) => out.line(`Wrote ${file} (${megabytes(bytes)}): ${countsText(records)}`),
});

export const exportCommand: WrittenCommand = {
  ...exportToFile,
  details: "Without a file the records go to standard output. With --project only those of that project.",
  async run(context) {
    if (context.json || context.args[0] !== undefined) return exportToFile.run(context);
    const client = await context.connect();
    const only = context.flags.project === undefined ? {} : { only: context.cwd };
    const { file } = await client.call("store.export", only);
    try {
      await pipeline(createReadStream(file), process.stdout, { end: false });
    } finally {
      await rm(file, { force: true });
    }
  },
};

export const purge = operationCommand("store.purge", {
  example: "sylk purge --before 30d",
  without: ["before", "dryRun"],
  flags: {
    before: { describe: "age (12h, 30d, 8w) or date (2026-11-01, UTC)", value: "time" },
    yes: { describe: "delete the records; without it they are only counted", short: "y" },
  },
  adjust: (_, { flags }) => ({ before: pastTime("before", flags.before), dryRun: flags.yes !== true }),
  print({ dryRun, removed, before, trees, keptOpen }, out) {
    const until = new Date(before).toISOString();
    out.line(`${dryRun ? "Would remove" : "Removed"} from before ${until}: ${countsText(removed)}`);
    if (keptOpen > 0)
      out.line(
        `${counted(keptOpen, "old run stays", "old runs stay")}: the change is neither merged nor discarded ("sylk runs" lists them)`,
      );
    for (const tree of trees) out.line(`still on disk: ${tree}`);
    out.note(dryRun ? "nothing was removed; add --yes" : "earlier backups still contain it");
  },
});
