/** A process that restores a backup over a store, to be killed at any moment: node restore-child.ts <store> <lock> <backup> */
import { stoppedStore } from "../../src/platform/store/index.ts";

export const restoreScript = import.meta.filename;

const [, script, database, lock, backup] = process.argv;
if (script === restoreScript && database !== undefined && lock !== undefined && backup !== undefined) {
  const keeper = stoppedStore();
  process.stdout.write("ready\n");
  keeper.restore({ database, lock }, backup);
}
