/** What guards do when nobody can be asked, where the launcher finds it: then there is no daemon to ask for settings. */
import { renameSync, writeFileSync } from "node:fs";

type Guards = Readonly<Record<"edit" | "commit", string>>;

export function writeGuards(file: string, { edit, commit }: Guards): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, `edit=${edit}\ncommit=${commit}\n`, { mode: 0o600 });
  renameSync(partial, file);
}
