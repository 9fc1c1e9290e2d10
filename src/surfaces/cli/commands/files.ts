/** Local history on the command line: versions of files, their differences, and the ways back. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FileVersion } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { repositoryPath, treeRoot } from "../repository-path.ts";
import { ago, pastTime } from "../wording.ts";

type Fields = Record<string, unknown>;

export const history = operationCommand("file.history", {
  example: "sylk file history src/api/orders.ts --since 2h",
  details: "--since also takes an age (10m, 2h, 3d) or a date.",
  fields: ["path"],
  adjust: placed,
  print({ items, nextCursor }, out) {
    if (items.length === 0) return out.line("No version is kept");
    out.table(
      ["version", "seen", "path", "author", "known by", "size", "command"],
      items.map((item) => [
        item.id,
        ago(item.seenAt),
        item.path,
        item.author?.name ?? "",
        item.knownBy === "unknown" ? item.seen : item.knownBy,
        sizeOf(item),
        item.command ?? "",
      ]),
    );
    if (nextCursor !== undefined) out.line(`More: --cursor ${nextCursor}`);
  },
});

export const diff = operationCommand("file.diff", {
  example: "sylk file diff src/api/orders.ts",
  details: "With --agent it shows all that this agent changed.",
  fields: ["path"],
  adjust: placed,
  print({ patch, notes }, out) {
    for (const note of notes) out.note(note);
    if (patch === "") out.line("No difference");
    else lines(patch, out);
  },
});

export const restore = operationCommand("file.restore", {
  example: "sylk file restore src/api/orders.ts",
  details: "Without --version it puts back the newest version that differs from the file.",
  fields: ["path"],
  adjust: placed,
  print({ restored, replaced, told }, out) {
    const what = restored.state === "absent" ? "removed, as it was then" : sizeOf(restored);
    out.line(`${restored.path}  as seen ${ago(restored.seenAt)}  ${what}`);
    out.line(`To take this back: sylk file restore ${restored.path} --version ${replaced.id}`);
    if (told.length > 0) out.line(`Told ${told.map(({ name }) => name).join(", ")}`);
  },
});

export const undo = operationCommand("file.undo", {
  example: "sylk undo --agent otter --since 10m --dry-run",
  details: "Later lines of others stay. When a file cannot be undone, nothing is written, unless you add --partial.",
  fields: ["paths"],
  optional: ["paths"],
  adjust: placed,
  exitCode: ({ items }) => (items.some(({ state }) => !isDone(state)) ? 4 : 0),
  print({ written, items, patch, told }, out) {
    for (const { path, state, why } of items)
      out.line(`${state.padEnd(9)}  ${path}${why === undefined ? "" : `: ${why}`}`);
    for (const { text } of items) if (text !== undefined) lines(text, out);
    if (patch !== "") lines(patch, out);
    if (!written) out.line("Nothing was written");
    if (told.length > 0) out.line(`Told ${told.map(({ name }) => name).join(", ")}`);
  },
});

function isDone(state: string): boolean {
  return state === "undone" || state === "unchanged";
}

/** A time may be typed as an age (10m, 2h, 3d) or a date, too. The daemon knows where a tree began that is gone. */
function placed({ path, paths, since, ...rest }: Fields, { cwd }: CommandContext): Fields {
  const place = (typed: string): string => (existsSync(cwd) ? repositoryPath(typed, cwd) : resolve(cwd, typed));
  return {
    ...rest,
    tree: rest.tree ?? treeRoot(cwd),
    ...(typeof path === "string" ? { path: place(path) } : {}),
    ...(Array.isArray(paths) ? { paths: (paths as string[]).map(place) } : {}),
    ...(since === undefined ? {} : { since: typeof since === "string" ? pastTime("since", since) : since }),
  };
}

function sizeOf({ state, bytes = 0 }: FileVersion): string {
  return state === "kept" ? `${bytes} B` : state === "absent" ? "no file" : `${bytes} B, not kept`;
}

function lines(text: string, out: Output): void {
  for (const line of text.replace(/\n$/, "").split("\n")) out.line(line);
}
