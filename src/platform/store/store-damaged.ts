/** A store that cannot be read as one: refused with the way out, never replaced and never removed. */
import { DomainError } from "../../contract/errors.ts";
import { defined } from "../defined.ts";
import { backupFolderOf, listBackups } from "./backup-folder.ts";

export function storeDamaged(file: string, reason: string, cause?: unknown): DomainError {
  const [newest] = listBackups(backupFolderOf(file));
  const wayOut =
    newest === undefined
      ? `there is no backup in ${backupFolderOf(file)}: "sylk doctor" tells more, "sylk restore <file>" brings a copy of yours back`
      : `"sylk restore ${newest.file}" brings the newest backup back and keeps this file; "sylk doctor" tells more`;
  return new DomainError("store.damaged", `The store ${file} is damaged (${reason}) and was not touched; ${wayOut}`, {
    details: { file, reason, ...defined({ backup: newest?.file }) },
    ...defined({ cause }),
  });
}
