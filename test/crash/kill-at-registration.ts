/**
 * Loaded into a daemon before its own code (`node --import`): the worker of a run dies in the moment in which its first
 * Engineer is registered, before the Engineer's work is sent. No kill from outside hits that moment for certain.
 */
import { spawnSync } from "node:child_process";
import Database from "better-sqlite3";

let isKilled = false;
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, text: string) {
  const statement = prepare.call(this, text) as Database.Statement;
  if (!text.includes("INSERT INTO agents")) return statement;
  const { run } = statement;
  return Object.assign(statement, {
    run(...values: unknown[]) {
      const done = run.apply(statement, values);
      const worker = values[10];
      if (!isKilled && values.includes("sylk") && typeof worker === "number") killNow(worker);
      return done;
    },
  });
} as typeof prepare;

/** Returns when the process is dead and its parent, this one, has not yet heard of it. */
function killNow(pid: number): void {
  isKilled = true;
  process.kill(pid, "SIGKILL");
  const state = (): string => spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  while (!state().startsWith("Z"));
}
