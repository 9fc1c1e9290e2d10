/**
 * What hooks do without a daemon: the guards' behaviour, whether advice is wanted, and how they start one.
 *
 *   the daemon starts -> all lines · "sylk down" -> without the start: hooks leave it down · crash, reboot -> as they were
 */
import { renameSync, writeFileSync } from "node:fs";

export type GuardsFile = Readonly<Record<"edit" | "commit" | "nudges", string>> & {
  /** Undefined: another program watches over the daemon, or the user stopped it. */
  readonly start: { readonly node: string; readonly script: string } | undefined;
};

export function writeGuards(file: string, { edit, commit, nudges, start }: GuardsFile): void {
  const lines = [`edit=${edit}`, `commit=${commit}`, `nudges=${nudges}`];
  if (start !== undefined) lines.push(`node=${start.node}`, `script=${start.script}`);
  const partial = `${file}.partial`;
  writeFileSync(partial, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(partial, file);
}
