/**
 * Loaded into a daemon and its threads before their own code (`node --import`): code indexes find a full disk after so many
 * pages, and memory is short from so many looks on. Files in the folder that SYLK_TEST_SMALL names say how much; without
 * them the machine is as it is.
 */
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { join } from "node:path";
import Database from "better-sqlite3";

const numberIn = (name: string): number | undefined => {
  try {
    return Number(readFileSync(join(process.env["SYLK_TEST_SMALL"] ?? "", name), "utf8"));
  } catch {
    return undefined;
  }
};

const { pragma } = Database.prototype;
Database.prototype.pragma = function (this: Database.Database, ...args: Parameters<typeof pragma>) {
  const pages = this.name.includes("/index/") ? numberIn("index-pages") : undefined;
  if (pages !== undefined) pragma.call(this, `max_page_count = ${pages}`);
  return pragma.apply(this, args);
};

const real = process.availableMemory;
let looks = 0;
process.availableMemory = () => {
  const free = numberIn("free-mb");
  looks += 1;
  return free === undefined || looks <= (numberIn("free-after") ?? 0) ? real() : free * 1_048_576;
};
syncBuiltinESMExports();
