/** Tells a process from a later one that got the same pid: by its start time as the kernel reports it. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Undefined when no such process runs. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? linuxStartTime(pid) : posixStartTime(pid);
}

/** Field 22 of /proc/<pid>/stat; the command name before it may hold spaces and brackets. A zombie no longer runs. */
async function linuxStartTime(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined; // no such process
  }
}

async function posixStartTime(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined; // ps found none
  }
}
