/** The rows of unguarded tool calls in SQLite. */
import type { ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { UnguardedCallRepository, UnguardedRecord } from "./store.ts";

export function sqliteUnguardedCalls(sql: Sql): UnguardedCallRepository {
  return {
    async add({ tree, agent, program, project, agentName, what, lastAt, isAtStake }) {
      const row = sql.get(
        `INSERT INTO unguarded_calls (tree, agent, program, project, agent_name, what, times, last_at, at_stake, settled)
         VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, 0)
         ON CONFLICT (tree, agent, program) DO UPDATE SET what = excluded.what, times = times + 1,
           last_at = excluded.last_at, at_stake = max(at_stake, excluded.at_stake), settled = 0
         RETURNING *`,
        tree,
        agent,
        program,
        project ?? null,
        agentName,
        what,
        lastAt,
        isAtStake ? 1 : 0,
      );
      return recordOf(row!);
    },
    list: async () => sql.all("SELECT * FROM unguarded_calls ORDER BY last_at").map(recordOf),
    async setTold({ tree, agent, program }, at) {
      sql.run(
        "UPDATE unguarded_calls SET told_at = ? WHERE tree = ? AND agent = ? AND program = ?",
        at ?? null,
        tree,
        agent,
        program,
      );
    },
    async settle(tree) {
      sql.run("UPDATE unguarded_calls SET settled = 1 WHERE tree = ?", tree);
    },
    removeBefore: async (at) => sql.run("DELETE FROM unguarded_calls WHERE last_at < ?", at).changes,
    removeProject: async (project) => sql.run("DELETE FROM unguarded_calls WHERE project = ?", project).changes,
  };
}

function recordOf(row: SqlRow): UnguardedRecord {
  return {
    project: (row.project ?? undefined) as ProjectId | undefined,
    tree: row.tree as string,
    agent: row.agent as string,
    agentName: row.agent_name as string,
    program: row.program as string,
    what: row.what as string,
    times: row.times as number,
    lastAt: row.last_at as number,
    isAtStake: row.at_stake === 1,
    toldAt: (row.told_at ?? undefined) as number | undefined,
    isSettled: row.settled === 1,
  };
}
