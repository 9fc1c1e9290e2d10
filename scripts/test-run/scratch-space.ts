/**
 * Where the tests of a run make their scratch folders: in memory, where the machine has the room.
 *
 * A test that makes a store or a repository otherwise spends most of its time waiting for the disk. What it sees is the
 * same either way: the system keeps what a killed process wrote, in memory as on disk.
 */
import { existsSync, globSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const memory = "/dev/shm";
/** Ten times what the suites were seen to use. Containers often have 64 MB, and then the disk it is. */
const leastFreeBytes = 4 * 2 ** 30;

/** The folder is removed when this process ends; what killed runs left is removed now. Who sets TMPDIR has chosen. */
export function openScratchSpace(): string {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return tmpdir();
  for (const folder of globSync(join(memory, "sylk-test-*")).filter(isAbandoned)) remove(folder);
  // Short, and named by its owner: a socket's path may have 100 bytes.
  const own = join(memory, `sylk-test-${process.pid}`);
  mkdirSync(own, { recursive: true, mode: 0o755 }); // some tests act as another user
  process.once("exit", () => remove(own));
  return own;
}

function hasRoom(): boolean {
  if (process.platform !== "linux" || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastFreeBytes;
}

function isAbandoned(folder: string): boolean {
  try {
    process.kill(Number(basename(folder).slice("sylk-test-".length)), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Of a run that was stopped, a process may still write there; the next run removes it.
  }
}
