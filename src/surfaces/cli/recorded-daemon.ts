/**
 * The daemon that the home's record names, found without its socket: for the seconds in which the socket is missing. The
 * kernel's start time tells it from a later process that got its pid.
 */
import { readDaemonRecord, type HomePaths } from "../../platform/home/index.ts";
import { entryPoints } from "./entry-points.ts";

/** Its pid; undefined when it has ended, or where nothing is known of it. */
export async function recordedDaemon({ record: file }: Pick<HomePaths, "record">): Promise<number | undefined> {
  const record = readDaemonRecord(file);
  if (record?.processStart === undefined) return undefined;
  return (await entryPoints().startTimeOf(record.pid)) === record.processStart ? record.pid : undefined;
}
