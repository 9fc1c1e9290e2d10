/** A file that a command is asked to write: it must not exist, and its folder must take it; otherwise the refusal says why. */
import { existsSync } from "node:fs";
import { DomainError, invalidInput } from "../contract/errors.ts";

const byThePath = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "EISDIR", "ENAMETOOLONG", "ELOOP"]);
const byTheDisk = new Set(["ENOSPC", "EDQUOT", "EIO", "EFBIG"]);

export function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new DomainError("file.exists", `${file} is already there and was not replaced; name another file`, {
    details: { file },
  });
}

/** An error of the file system as one of ours; any other error as it is. */
export function asFileTrouble(error: unknown, file: string): unknown {
  const { code = "", message = "" } = error as Partial<NodeJS.ErrnoException>;
  if (byThePath.has(code))
    return invalidInput("file", code, {
      sentence: `file: ${file} cannot be written (${code}); name a file in a folder of yours`,
      cause: error,
    });
  if (byTheDisk.has(code))
    return new DomainError(
      "store.unavailable",
      `${file} could not be written (${message}); free disk space and repeat`,
      {
        details: { reason: message },
        cause: error,
      },
    );
  return error;
}
