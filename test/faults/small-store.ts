/**
 * Loaded into a daemon before its own code (`node --import`): its store may not grow beyond the pages it has, as on a
 * full disk, from the first SIGUSR2 on, and may again from the second.
 */
import Database from "better-sqlite3";

const connections = new Set<Database.Database>();
const { pragma } = Database.prototype;
Database.prototype.pragma = function (this: Database.Database, ...args: Parameters<typeof pragma>) {
  connections.add(this);
  return pragma.apply(this, args);
};

let full = false;
process.on("SIGUSR2", () => {
  full = !full;
  for (const connection of connections)
    if (connection.open && !connection.readonly) connection.pragma(`max_page_count = ${full ? 1 : 1_000_000_000}`);
});
