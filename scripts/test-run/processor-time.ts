/**
 * Processor time of this process and of its children that have ended. Unlike wall time it hardly depends on what else the
 * machine does, so runs on a busy machine can be compared.
 */
import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second, on every Linux machine. */
const ticksPerSecond = 100;

/** Undefined where the kernel does not say it (macOS). */
export function processorSeconds(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The second field is the program's name in parentheses and may contain spaces; utime is the 14th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}
