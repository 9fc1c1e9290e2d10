/**
 * Whether a daemon may serve a home: the folder can be made or is there, it is ours, and we may write in it. Root could use
 * any user's, and would leave files in it that its owner cannot use. Other users must not read what is ours.
 */
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../contract/errors.ts";

/** Makes the home if it is absent. Answers what it closed to other users, undefined when nothing was open. */
export function prepareHome(home: string): string | undefined {
  makeFolder(home);
  checkHome(home);
  return closeToOthers(home);
}

function checkHome(home: string): void {
  const { uid, mode } = statSync(home);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own)
    throw unusable(home, `it belongs to another user (uid ${uid})`, "run this as that user");
  // Other users could have put anything into it; and a shared folder such as /tmp is not ours to close.
  if ((mode & 0o002) !== 0)
    throw unusable(home, "every user may write in it", `"chmod 700 ${home}" if it is yours alone`);
  accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
}

function unusable(home: string, reason: string, wayOut: string): DomainError {
  return new DomainError(
    "store.unavailable",
    `The home ${home} cannot be used: ${reason}; ${wayOut}, or set SYLK_HOME to a folder of yours`,
    { details: { home, reason } },
  );
}

/** One level at a time: Node's own recursive way tries for ever where the file system refuses with "no such file". */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const madeMeanwhile = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!madeMeanwhile) throw error;
  }
}

/** The files that only we make. Others may lie in a folder that was chosen as home: their modes are not ours to change. */
const ownFile =
  /^(token|sylk\.db(-wal|-shm)?|daemon\.(lock|json)|guards|served-by|port\.json|audit-head|providers\.json)$/;

function closeToOthers(home: string): string | undefined {
  const logs = join(home, "log");
  const folders = [home, logs].filter((folder) => isOpen(folder));
  const files = [...filesIn(home).filter((file) => ownFile.test(basename(file))), ...filesIn(logs)].filter((file) =>
    isOpen(file),
  );
  for (const folder of folders) chmodSync(folder, 0o700);
  for (const file of files) chmodSync(file, 0o600);
  return folders.includes(home) ? `${home} was open to other users; its mode is now 700` : undefined;
}

function isOpen(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0;
}

/** Without links: the mode of a link is that of a file elsewhere. */
function filesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}
