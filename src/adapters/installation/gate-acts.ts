/** The commit gate into one of a repository's hooks, and out of it. */
import { chmodSync, existsSync, renameSync } from "node:fs";
import { basename } from "node:path";
import { DomainError } from "../../contract/index.ts";
import type { Act } from "./act.ts";
import { gateHook, hasGate, movedSuffix, withoutGate } from "./git-hook.ts";
import { readText, removeFile, writeText } from "./kept-file.ts";

export function gateActs(file: string, launch: string, made: (folders: readonly string[]) => void): Act[] {
  const text = gateHook(basename(file), launch);
  const found = readText(file);
  if (found === text) return [];
  const moved = `${file}${movedSuffix}`;
  const isForeign = found !== undefined && !hasGate(found);
  if (isForeign && existsSync(moved))
    throw new DomainError(
      "file.exists",
      `Both ${file} and ${moved} are there, and only one can run after ours; remove one`,
      { details: { file: moved } },
    );
  const write = (): void => {
    if (isForeign) renameSync(file, moved);
    made(writeText(file, text, 0o755));
    chmodSync(file, 0o755);
  };
  const purpose = purposeOf(file);
  const what = isForeign ? `${purpose}; the hook that is there moves to ${moved} and runs after it` : purpose;
  return [{ file, action: found === undefined ? "create" : "change", what, do: write }];
}

export function ungateActs(file: string, folders: readonly string[]): Act[] {
  const found = readText(file);
  if (found === undefined || !hasGate(found)) return [];
  const moved = `${file}${movedSuffix}`;
  const rest = withoutGate(found);
  if (rest !== "")
    return [{ file, action: "change", what: `only ${purposeOf(file)} goes`, do: () => void writeText(file, rest) }];
  if (existsSync(moved))
    return [{ file, action: "change", what: `back to what ${moved} keeps`, do: () => renameSync(moved, file) }];
  return [{ file, action: "remove", what: purposeOf(file), do: () => removeFile(file, folders) }];
}

function purposeOf(file: string): string {
  switch (basename(file)) {
    case "reference-transaction":
      return "the commit gate for --no-verify";
    case "post-commit":
      return "the notice of a commit to those it concerns";
    default:
      return "the commit gate";
  }
}
