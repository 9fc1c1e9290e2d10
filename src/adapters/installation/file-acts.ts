/** Our part of a client's or user's file: added to what it is without us, and taken out to the byte. */
import type { Act } from "./act.ts";
import type { KeptFile } from "./install-record.ts";
import { digest, readText, removeFile, writeText } from "./kept-file.ts";

/** How one kind of file holds what is ours. */
export type OwnPart = {
  readonly what: string;
  added(text: string): string;
  /** The same text where nothing of ours is in it. */
  taken(text: string): string;
  isIn(text: string): boolean;
  /** The file is all ours, and goes with what is ours. */
  readonly isWhole?: boolean;
  /** Of a file that is made. */
  readonly mode?: number;
};

export function addActs(
  file: string,
  part: OwnPart,
  record: KeptFile | undefined,
  kept: (file: KeptFile) => void,
): Act[] {
  const found = readText(file);
  const base = baseOf(found, part, record);
  const text = part.added(base ?? "");
  if (found === undefined && text === "") return [];
  const keep = (made: readonly string[]): void =>
    kept({ file, before: base, after: digest(text), folders: [...(record?.folders ?? []), ...made] });
  if (found === text) {
    keep([]);
    return [];
  }
  const write = (): void => keep(writeText(file, text, part.mode));
  return [{ file, action: found === undefined ? "create" : "change", what: part.what, do: write }];
}

/** What the file would be without us: as it was before, or as it is now without ours. Null: not there. */
function baseOf(found: string | undefined, { taken }: OwnPart, record: KeptFile | undefined): string | null {
  if (found === undefined) return null;
  return record !== undefined && digest(found) === record.after ? record.before : taken(found);
}

export function takeActs(file: string, part: OwnPart, record: KeptFile | undefined): Act[] {
  const found = readText(file);
  if (found === undefined) return [];
  const isUntouched = record !== undefined && digest(found) === record.after;
  const text = isUntouched ? record.before : emptied(part.taken(found), part, record, found);
  if (text === found) return [];
  if (text === null)
    return [
      { file, action: "remove", what: "it was not there before", do: () => removeFile(file, record?.folders ?? []) },
    ];
  const what = isUntouched ? "back to its bytes of before" : "only what is ours goes";
  return [{ file, action: "change", what, do: () => void writeText(file, text) }];
}

/** A file that we made and that holds nothing any more goes, too. */
function emptied(text: string, { isWhole }: OwnPart, record: KeptFile | undefined, found: string): string | null {
  const isMade = record === undefined ? isWhole === true && text !== found : record.before === null;
  return isMade && /^\s*(\{\s*\}\s*)?$/.test(text) ? null : text;
}
