/** The guards' behaviour without a daemon, and whether advice is wanted, in a file that hooks can read. */
import { renameSync, writeFileSync } from "node:fs";

type Guards = Readonly<Record<"edit" | "commit" | "nudges", string>>;

export function writeGuards(file: string, { edit, commit, nudges }: Guards): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, `edit=${edit}\ncommit=${commit}\nnudges=${nudges}\n`, { mode: 0o600 });
  renameSync(partial, file);
}
