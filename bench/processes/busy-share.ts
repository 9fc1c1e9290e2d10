/** How much of all processors is in use, sampled over a second: before a bench, that is other people's work. */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** 0 to 1. */
export async function busyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(1_000);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((time) => Object.values(time))) };
}
