/**
 * Whether a daemon may serve a home: the folder is ours, and we may write in it. Root could use any user's, and would leave
 * files in it that its owner cannot use.
 */
import { accessSync, constants, statSync } from "node:fs";
import { DomainError } from "../../contract/errors.ts";

export function checkHome(home: string): void {
  const { uid } = statSync(home);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) {
    const reason = `it belongs to another user (uid ${uid})`;
    throw new DomainError(
      "store.unavailable",
      `The home ${home} cannot be used: ${reason}; run this as that user, or set SYLK_HOME to a folder of yours`,
      { details: { home, reason } },
    );
  }
  accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
}
