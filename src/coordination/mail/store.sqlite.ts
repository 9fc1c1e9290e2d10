/** Mail's rows in SQLite: messages, receivers and mailboxes; reading and searching them are files of their own. */
import type { AgentId, AgentRef, ContactPolicy, Importance, MessageId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import {
  countUnread,
  keptMessages,
  partyIn,
  selectMessages,
  toMessage,
  unread,
  withReceivers,
} from "./read-rows.sqlite.ts";
import { searchRows, searchTerms } from "./search-rows.sqlite.ts";
import type { MailRepository, MessageRecord } from "./store.ts";

const agentColumns = "agents.id AS agent_id, agents.name AS agent_name, agents.client AS agent_client";

export function sqliteMail(sql: Sql): MailRepository {
  const newestSequence = async () =>
    Number(sql.get("SELECT coalesce(max(sequence), 0) AS newest FROM messages")?.newest ?? 0);
  return {
    insert: async (record) => insert(sql, record),
    async find(id) {
      const row = sql.get(`${selectMessages} WHERE messages.id = ?`, id);
      return row && withReceivers(sql, [toMessage(row)])[0];
    },
    async mailbox(agent) {
      const row = sql.get("SELECT * FROM mailboxes WHERE agent = ?", agent);
      return {
        policy: (row?.policy ?? "open") as ContactPolicy,
        cursors: { requests: Number(row?.requests_cursor ?? 0), notices: Number(row?.notices_cursor ?? 0) },
      };
    },
    async setPolicy(agent, policy) {
      sql.run("UPDATE mailboxes SET policy = ? WHERE agent = ?", policy, agent);
    },
    async setCursor(agent, channel, cursor) {
      sql.run(`UPDATE mailboxes SET ${channel}_cursor = max(${channel}_cursor, ?) WHERE agent = ?`, cursor, agent);
    },
    unread: async (query) => unread(sql, query),
    countUnread: async (query) => countUnread(sql, query),
    newestSequence,
    async receivers(sequence) {
      const rows = sql.all(
        `SELECT message_receivers.*, ${agentColumns} FROM message_receivers JOIN agents ON agents.id = agent WHERE sequence = ? ORDER BY agents.name`,
        sequence,
      );
      return rows.map((row) => ({
        agent: agentOf(row),
        ackDueAt: optional(row.ack_due_at),
        ackedAt: optional(row.acked_at),
      }));
    },
    async setAcked(sequence, agent, at) {
      sql.run(
        "UPDATE message_receivers SET acked_at = ? WHERE sequence = ? AND agent = ? AND acked_at IS NULL",
        at,
        sequence,
        agent,
      );
    },
    async overdue({ project, agent }, now, limit) {
      const rows = sql.all(
        `SELECT messages.id, subject, importance, message_receivers.ack_due_at AS due, ${agentColumns},
           senders.id AS sender_id, senders.name AS sender_name, senders.client AS sender_client,
           agents.project AS agent_home, senders.project AS sender_home, homes.name AS agent_home_name,
           sender_homes.name AS sender_home_name
         FROM message_receivers JOIN messages USING (sequence)
         JOIN agents ON agents.id = message_receivers.agent JOIN agents AS senders ON senders.id = messages.sender
         JOIN projects AS homes ON homes.id = agents.project JOIN projects AS sender_homes ON sender_homes.id = senders.project
         WHERE message_receivers.ack_due_at <= ? AND acked_at IS NULL AND (? IS NULL OR ? IN (agents.project, senders.project))
           AND (? IS NULL OR ? IN (messages.sender, message_receivers.agent))
         ORDER BY message_receivers.ack_due_at LIMIT ?`,
        now,
        project ?? null,
        project ?? null,
        agent ?? null,
        agent ?? null,
        limit,
      );
      return rows.map((row) => ({
        id: row.id as MessageId,
        subject: String(row.subject),
        importance: row.importance as Importance,
        from: partyIn(row, "sender"),
        waitingFor: partyIn(row, "agent"),
        ackDueAt: Number(row.due),
      }));
    },
    topics: async (agent) =>
      sql
        .all("SELECT topic FROM topic_subscriptions WHERE agent = ? AND until IS NULL ORDER BY topic", agent)
        .map((row) => String(row.topic)),
    async subscribe(agent, topic) {
      const known = sql.get(
        "SELECT 1 AS known FROM topic_subscriptions WHERE agent = ? AND topic = ? AND until IS NULL",
        agent,
        topic,
      );
      if (known !== undefined) return;
      const since = await newestSequence();
      // Left and entered again with nothing sent in between: the old row stays in use.
      sql.run(
        `INSERT INTO topic_subscriptions (agent, topic, since) VALUES (?, ?, ?)
         ON CONFLICT (agent, topic, since) DO UPDATE SET until = NULL`,
        agent,
        topic,
        since,
      );
    },
    async unsubscribe(agent, topic) {
      sql.run(
        "UPDATE topic_subscriptions SET until = ? WHERE agent = ? AND topic = ? AND until IS NULL",
        await newestSequence(),
        agent,
        topic,
      );
    },
    contacts: async (agent) =>
      sql
        .all(
          `SELECT ${agentColumns} FROM contacts JOIN agents ON agents.id = contact WHERE agent = ? ORDER BY agents.name`,
          agent,
        )
        .map((row) => agentOf(row)),
    async addContact(agent, contact) {
      sql.run("INSERT OR IGNORE INTO contacts (agent, contact) VALUES (?, ?)", agent, contact);
    },
    async removeContact(agent, contact) {
      sql.run("DELETE FROM contacts WHERE agent = ? AND contact = ?", agent, contact);
    },
    wasToldOf: async (agent, finding) =>
      sql.get(
        `SELECT 1 AS found FROM messages JOIN message_receivers USING (sequence)
         WHERE kind = 'finding' AND content ->> '$.finding' = ? AND agent = ? AND message_receivers.channel = 'notices' LIMIT 1`,
        finding,
        agent,
      ) !== undefined,
    hasWritten: async (from, to) =>
      sql.get(
        "SELECT 1 AS found FROM message_receivers JOIN messages USING (sequence) WHERE message_receivers.agent = ? AND sender = ? LIMIT 1",
        to,
        from,
      ) !== undefined,
    participants: async (thread) =>
      sql
        .all(
          `SELECT sender AS agent FROM messages WHERE thread = ?
           UNION SELECT agent FROM message_receivers JOIN messages USING (sequence) WHERE thread = ?`,
          thread,
          thread,
        )
        .map((row) => row.agent as AgentId),
    search: async (query) => searchRows(sql, query),
    async forgetArrangements(agents) {
      const gone = JSON.stringify(agents);
      for (const rows of ["contacts WHERE agent", "contacts WHERE contact", "topic_subscriptions WHERE agent"])
        sql.run(`DELETE FROM ${rows} IN (SELECT value FROM json_each(?))`, gone);
    },
    removeOld: async (limits) => removeOld(sql, limits),
    removeProject: async (project) =>
      sql.run(
        "DELETE FROM messages WHERE project = ? OR sender IN (SELECT id FROM agents WHERE project = ?)",
        project,
        project,
      ).changes,
    senders: async () => sql.all("SELECT DISTINCT sender FROM messages").map((row) => row.sender as AgentId),
    kept: async (query) => keptMessages(sql, query),
    async tally(project) {
      const row = sql.get(
        "SELECT coalesce(sum(length(subject) + length(body) + 300), 0) AS bytes FROM messages WHERE project = ?",
        project,
      );
      return { bytes: Number(row?.bytes) };
    },
  };
}

function insert(sql: Sql, record: MessageRecord): number {
  const { scope, readers } = searchTerms(record);
  const { lastInsertRowid: sequence } = sql.run(
    `INSERT INTO messages (id, project, sender, audience, topic, channel, kind, content, subject, body, importance, thread,
       reply_to, ack_due_at, sent_at, scope, readers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record.id,
    record.project,
    record.from.id,
    record.audience,
    record.topic ?? null,
    record.channel,
    record.content.kind,
    JSON.stringify(record.content),
    record.subject,
    record.body,
    record.importance,
    record.thread,
    record.replyTo ?? null,
    record.ackDueAt ?? null,
    record.sentAt,
    scope,
    readers,
  );
  for (const { id } of record.to)
    sql.run(
      "INSERT INTO message_receivers (agent, channel, sequence, ack_due_at) VALUES (?, ?, ?, ?)",
      id,
      record.channel,
      sequence,
      record.ackDueAt ?? null,
    );
  return sequence;
}

/** A receiver has not acknowledged it, or (direct, high or urgent) not even read it; a message to many waits, because its readers are not known. */
const stillWaits = `(ack_due_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM message_receivers AS r WHERE r.sequence = messages.sequence AND r.acked_at IS NULL))
  OR (importance IN ('high', 'urgent') AND (audience <> 'agents' OR EXISTS (
    SELECT 1 FROM message_receivers AS r JOIN mailboxes ON mailboxes.agent = r.agent WHERE r.sequence = messages.sequence
      AND r.sequence > CASE r.channel WHEN 'requests' THEN requests_cursor ELSE notices_cursor END)))`;

function removeOld(sql: Sql, { before, importantBefore, most }: Parameters<MailRepository["removeOld"]>[0]): number {
  return sql.run(
    `DELETE FROM messages WHERE sequence IN (SELECT sequence FROM messages
       WHERE sent_at < ? AND (sent_at < ? OR NOT (${stillWaits})) ORDER BY sent_at LIMIT ?)`,
    before,
    importantBefore,
    most,
  ).changes;
}

function agentOf(row: SqlRow): AgentRef {
  return { id: row.agent_id as AgentId, name: String(row.agent_name), client: String(row.agent_client) };
}

function optional(value: SqlRow[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
