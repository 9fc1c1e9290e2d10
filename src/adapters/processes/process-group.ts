/** A process group of ours: who it is, and how it ends. */
import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../platform/clock/index.ts";
import type { ProcessIdentity } from "../../orchestration/executors/index.ts";
import { groupRuns, startTimeOf } from "./process-identity.ts";

export const graceMs = 2_000;
const endPollMs = 5;

export async function identityOf({ pid }: ChildProcess): Promise<ProcessIdentity> {
  const startedAt = pid === undefined ? undefined : await startTimeOf(pid);
  if (pid === undefined || startedAt === undefined) throw new Error("the command's process could not be started");
  return { pid, startedAt };
}

export function endNow({ pid }: ChildProcess, clock: Clock): void {
  killGroup(pid, "SIGTERM");
  clock.after(graceMs, () => killGroup(pid, "SIGKILL"));
}

export function killGroup(pid: number | undefined, how: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, how);
  } catch {
    // the group is gone already
  }
}

/** Asked first: git, for one, takes its lock files away. What does not go is killed. */
export async function endGroup({ pid, startedAt }: ProcessIdentity, clock: Clock): Promise<void> {
  const found = await startTimeOf(pid);
  // The number belongs to another process by now, which happens only when no process of the group was left.
  if (found !== undefined && found !== startedAt) return;
  killGroup(pid, "SIGTERM");
  const deadline = clock.monotonic() + graceMs;
  while (await groupRuns(pid)) {
    if (clock.monotonic() >= deadline) killGroup(pid, "SIGKILL");
    await new Promise<void>((resolve) => clock.after(endPollMs, resolve, { keepAlive: true }));
  }
}
