/**
 * Floor: what a claim must cost in SQLite alone: read the item, set its owner, append the event; group commit as in the
 * daemon (one transaction per turn, a savepoint each, acknowledged after COMMIT), and nothing around it.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { claimRate, type ClaimLoop } from "../load/claim-rate.ts";
import { readFleet } from "../store/fleet.ts";

type Plan = ClaimLoop & { readonly home: string; readonly fleet: string };
type Member = { readonly work: () => void; readonly acknowledge: () => void };

export async function rawSqliteClaims(plan: Plan): Promise<number> {
  const { agents, items } = readFleet(plan.fleet);
  const store = new Database(join(plan.home, "sylk.db"));
  store.pragma("journal_mode = WAL");
  store.pragma("synchronous = FULL");
  store.pragma("foreign_keys = ON");
  const find = store.prepare("SELECT * FROM work_items WHERE id = ? AND owner IS NULL");
  const own = store.prepare(
    "UPDATE work_items SET status = 'in_progress', owner = ?, claim_ttl_ms = 1800000, fencing_token = fencing_token + 1, version = version + 1 WHERE id = ?",
  );
  const append = store.prepare(
    "INSERT INTO events (id, type, version, project, subject, at, data) VALUES (?, 'work-item.claimed', 1, ?, ?, ?, ?)",
  );
  const transact = groupCommit(store);

  const rate = await claimRate(plan, (index) => {
    const item = items[index]!;
    const agent = agents[index % agents.length]!;
    return transact(() => {
      const found = find.get(item) as { readonly project: string } | undefined;
      if (found === undefined) throw new Error(`claim ${index} was not won`);
      own.run(agent.id, item);
      append.run(`evt_${index}`, found.project, item, index, JSON.stringify({ workItem: found, owner: agent.id }));
    });
  });
  store.close();
  return rate;
}

function groupCommit(store: Database.Database): (work: () => void) => Promise<void> {
  const [begin, save, release, commit] = ["BEGIN IMMEDIATE", "SAVEPOINT member", "RELEASE member", "COMMIT"].map(
    (text) => store.prepare(text),
  ) as [Database.Statement, Database.Statement, Database.Statement, Database.Statement];
  let group: Member[] = [];
  function flush(): void {
    const members = group;
    group = [];
    begin.run();
    for (const { work } of members) {
      save.run();
      work();
      release.run();
    }
    commit.run();
    for (const { acknowledge } of members) acknowledge();
  }
  return (work) =>
    new Promise((acknowledge) => {
      if (group.length === 0) setImmediate(flush);
      group.push({ work, acknowledge });
    });
}
