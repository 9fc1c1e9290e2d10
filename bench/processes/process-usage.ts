/** What a process uses, as the Linux kernel counts it. */
import { readdirSync, readFileSync } from "node:fs";

export type Memory = { readonly rssMb: number; readonly anonymousMb: number };
export type Activity = { readonly cpuMs: number; readonly switches: number };

/** `rssMb` counts pages of the executable too, which other Node processes share; `anonymousMb` are its own. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return { rssMb: fieldOf(status, "VmRSS") / 1024, anonymousMb: fieldOf(status, "RssAnon") / 1024 };
}

/** Over all threads: time on a processor, and how often one gave it up by itself, which is about once per wake-up. */
export function activityOf(pid: number): Activity {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  return {
    // The same time as utime + stime of /proc/<pid>/stat, which counts it in steps of 10 ms only.
    cpuMs: sum(threads.map((thread) => Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6)),
    switches: sum(
      threads.map((thread) => fieldOf(readFileSync(`${thread}/status`, "utf8"), "voluntary_ctxt_switches")),
    ),
  };
}

function fieldOf(status: string, field: string): number {
  const [, value] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status) ?? [];
  if (value === undefined) throw new Error(`the kernel does not say ${field}`);
  return Number(value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
