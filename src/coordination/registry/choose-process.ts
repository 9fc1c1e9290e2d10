/**
 * The process whose end is its agent's end. Several processes of one session register; the first that still runs
 * stays, so that a short-lived helper cannot take the place of the client.
 */
import type { ProjectPlace } from "./locate-project.ts";
import type { RegistryPorts, Wanted } from "./ports.ts";

export type RunningProcess = { readonly pid: number; readonly processStart: string | undefined };

/** Undefined: what is known already stays. */
export async function chooseProcess(
  { pid, sessionKey }: Wanted,
  { path }: ProjectPlace,
  { store, startTimeOf }: RegistryPorts,
): Promise<RunningProcess | undefined> {
  if (pid === undefined) return undefined;
  const project = await store.reader.projects.findByPath(path);
  const known = project && (await store.reader.agents.findBySessionKey(project.id, sessionKey));
  if (known?.pid !== undefined && known.processStart !== undefined && known.pid !== pid) {
    if ((await startTimeOf(known.pid)) === known.processStart) return undefined;
  }
  return { pid, processStart: await startTimeOf(pid) };
}
