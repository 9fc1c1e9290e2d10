/** What one writes in an afternoon: every process opens the same SQLite file, looks whether a row is there, and adds one. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { nameOf, type Peer, type PeerPlace } from "./peer.ts";

export async function openNaive({ folder, racer }: PeerPlace): Promise<Peer> {
  const store = new Database(join(folder, "naive.db"), { timeout: 10_000 });
  store.pragma("journal_mode = WAL");
  store.exec(`CREATE TABLE IF NOT EXISTS holds (path TEXT NOT NULL, holder TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS holds_by_path ON holds (path);
    CREATE TABLE IF NOT EXISTS mail (id INTEGER PRIMARY KEY, receiver TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS mail_by_receiver ON mail (receiver, id);`);
  const find = store.prepare("SELECT holder FROM holds WHERE path = ?");
  const insert = store.prepare("INSERT INTO holds (path, holder) VALUES (?, ?)");
  const post = store.prepare("INSERT INTO mail (receiver, subject, body) VALUES (?, ?, 'Rounded.')");
  const read = store.prepare("SELECT * FROM mail WHERE receiver = ? ORDER BY id DESC LIMIT 20");
  const me = nameOf(racer);
  return {
    async reserve(path) {
      if (find.get(path) !== undefined) return false;
      await Promise.resolve(); // as any driver with promises would, between the look and the act
      insert.run(path, me);
      return true;
    },
    send: async (to, subject) => void post.run(to, subject),
    inbox: async () => void read.all(me),
    close: async () => void store.close(),
  };
}
