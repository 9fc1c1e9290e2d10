/** Approvals in SQLite. */
import type { Approval, ApprovalId, GraphId, ProjectId } from "../../contract/index.ts";
import { numberIn, textIn } from "../../platform/sql-columns.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { ApprovalRepository, StoredApproval } from "./store.ts";

export function sqliteApprovals(sql: Sql): ApprovalRepository {
  return {
    async insert(project, approval) {
      const { id, run, kind, question, details, status, createdAt, node, deadlineAt, defaultAnswer } = approval;
      sql.run(
        `INSERT INTO approvals (id, graph, project, kind, question, details, status, created_at, node, deadline_at, default_answer)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        run,
        project,
        kind,
        question,
        JSON.stringify(details),
        status,
        createdAt,
        node ?? null,
        deadlineAt ?? null,
        defaultAnswer ?? null,
      );
    },
    async update({ id, status, reason, answer, decidedAt }) {
      sql.run(
        "UPDATE approvals SET status = ?, reason = ?, answer = ?, decided_at = ? WHERE id = ?",
        status,
        reason ?? null,
        answer ?? null,
        decidedAt ?? null,
        id,
      );
    },
    async attach(id, node) {
      sql.run("UPDATE approvals SET node = ? WHERE id = ?", node, id);
    },
    async find(id) {
      const row = sql.get("SELECT * FROM approvals WHERE id = ?", id);
      return row && toApproval(row);
    },
    list: async ({ graph, project, waitingOnly }) =>
      sql
        .all(
          `SELECT * FROM approvals WHERE graph = coalesce(?, graph) AND project = coalesce(?, project)
             AND (? = 0 OR status = 'waiting') ORDER BY created_at, id`,
          graph ?? null,
          project ?? null,
          waitingOnly ? 1 : 0,
        )
        .map(toApproval),
  };
}

function toApproval(row: SqlRow): StoredApproval {
  const optional = {
    node: textIn(row.node),
    deadlineAt: numberIn(row.deadline_at),
    defaultAnswer: textIn(row.default_answer),
    answer: textIn(row.answer),
    reason: textIn(row.reason),
    decidedAt: numberIn(row.decided_at),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    id: row.id as ApprovalId,
    run: row.graph as GraphId,
    project: row.project as ProjectId,
    kind: row.kind as Approval["kind"],
    question: String(row.question),
    details: JSON.parse(String(row.details)) as string[],
    status: row.status as Approval["status"],
    createdAt: Number(row.created_at),
    ...known,
  };
}
