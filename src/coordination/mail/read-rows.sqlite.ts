/**
 * Unread messages: three ordered lists (named receivers, everyone, each topic), each cut at the limit by its own index,
 * then merged. So reading costs what is shown, not what is stored.
 */
import type { AgentId, Importance, MailChannel, MailContent, MessageId, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { MailRepository, Party, SentMessage } from "./store.ts";

export const selectMessages = `SELECT messages.*, agents.name AS sender_name, agents.client AS sender_client,
    projects.id AS sender_home, projects.name AS sender_home_name
  FROM messages JOIN agents ON agents.id = messages.sender JOIN projects ON projects.id = agents.project`;

type Query = Parameters<MailRepository["unread"]>[0];

export function unread(sql: Sql, query: Query): readonly SentMessage[] {
  const wanted = unreadSequences(sql, query);
  const rows = sql.all(
    `${selectMessages} WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence`,
    JSON.stringify(wanted),
  );
  return withReceivers(sql, rows.map(toMessage));
}

export function keptMessages(
  sql: Sql,
  { project, after, limit }: Parameters<MailRepository["kept"]>[0],
): readonly SentMessage[] {
  const rows = sql.all(
    `${selectMessages} WHERE messages.project = coalesce(?, messages.project) AND sequence > ? ORDER BY sequence LIMIT ?`,
    project ?? null,
    after,
    limit,
  );
  return withReceivers(sql, rows.map(toMessage));
}

export function countUnread(
  sql: Sql,
  { agent, project, most }: Parameters<MailRepository["countUnread"]>[0],
): { readonly requests: number; readonly notices: number; readonly urgentFindings: number } {
  const count = (channel: MailChannel) =>
    unreadSequences(sql, { agent, project, channel, kind: undefined, limit: most }).length;
  const urgent = sql.get(
    `SELECT count(*) AS found FROM message_receivers JOIN messages USING (sequence) JOIN mailboxes USING (agent)
     WHERE agent = ? AND message_receivers.channel = 'notices' AND sequence > notices_cursor
       AND kind = 'finding' AND importance = 'urgent'`,
    agent,
  );
  return { requests: count("requests"), notices: count("notices"), urgentFindings: Number(urgent?.found ?? 0) };
}

function unreadSequences(sql: Sql, { agent, project, channel, kind, limit }: Query): readonly number[] {
  const box = sql.get("SELECT * FROM mailboxes WHERE agent = ?", agent);
  const after = Number(box?.[`${channel}_cursor`] ?? 0);
  const read = (text: string, ...values: readonly SqlValue[]) =>
    sql.all(text, ...values, ...(kind === undefined ? [] : [kind]), limit).map((row) => Number(row.sequence));
  const ofKind = kind === undefined ? "" : "AND messages.kind = ?";
  const named = read(
    `SELECT message_receivers.sequence FROM message_receivers ${kind === undefined ? "" : "JOIN messages USING (sequence)"}
     WHERE agent = ? AND message_receivers.channel = ? AND message_receivers.sequence > ? ${ofKind}
     ORDER BY message_receivers.sequence LIMIT ?`,
    agent,
    channel,
    after,
  );
  const toEveryone = read(
    `SELECT sequence FROM messages WHERE audience = 'everyone' AND project = ? AND channel = ? AND sequence > ?
     AND sender <> ? ${ofKind} ORDER BY sequence LIMIT ?`,
    project,
    channel,
    Math.max(after, Number(box?.starts_after ?? 0)),
    agent,
  );
  const ofTopics = sql
    .all(
      "SELECT topic, since, until FROM topic_subscriptions WHERE agent = ? AND coalesce(until, ?) > ?",
      agent,
      Number.MAX_SAFE_INTEGER,
      after,
    )
    .flatMap(({ topic, since, until }) =>
      read(
        `SELECT sequence FROM messages WHERE audience = 'topic' AND project = ? AND topic = ? AND channel = ?
         AND sequence > ? AND sequence <= ? AND sender <> ? ${ofKind} ORDER BY sequence LIMIT ?`,
        project,
        String(topic),
        channel,
        Math.max(after, Number(since)),
        until === null ? Number.MAX_SAFE_INTEGER : Number(until ?? 0),
        agent,
      ),
    );
  return [...named, ...toEveryone, ...ofTopics].sort((a, b) => a - b).slice(0, limit);
}

/** Adds the named receivers of direct messages. */
export function withReceivers(sql: Sql, messages: readonly SentMessage[]): readonly SentMessage[] {
  const direct = messages.filter(({ audience }) => audience === "agents").map(({ sequence }) => sequence);
  if (direct.length === 0) return messages;
  const receivers = receiversOf(sql, direct);
  return messages.map((message) => ({ ...message, to: receivers.get(message.sequence) ?? [] }));
}

function receiversOf(sql: Sql, sequences: readonly number[]): ReadonlyMap<number, readonly Party[]> {
  const receivers = new Map<number, Party[]>(sequences.map((sequence) => [sequence, []]));
  const rows = sql.all(
    `SELECT sequence, agents.id AS agent_id, agents.name AS agent_name, client AS agent_client,
       projects.id AS agent_home, projects.name AS agent_home_name
     FROM message_receivers JOIN agents ON agents.id = agent JOIN projects ON projects.id = agents.project
     WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY agents.name`,
    JSON.stringify(sequences),
  );
  for (const row of rows) receivers.get(Number(row.sequence))?.push(partyIn(row, "agent"));
  return receivers;
}

export function partyIn(row: SqlRow, prefix: "agent" | "sender"): Party {
  return {
    id: row[`${prefix}_id`] as AgentId,
    name: String(row[`${prefix}_name`]),
    client: String(row[`${prefix}_client`]),
    home: { id: row[`${prefix}_home`] as ProjectId, name: String(row[`${prefix}_home_name`]) },
  };
}

export function toMessage(row: SqlRow): SentMessage {
  return {
    sequence: Number(row.sequence),
    id: row.id as MessageId,
    project: row.project as ProjectId,
    from: partyIn({ ...row, sender_id: row.sender! }, "sender"),
    audience: row.audience as SentMessage["audience"],
    to: [],
    ...(row.topic === null ? {} : { topic: String(row.topic) }),
    channel: row.channel as MailChannel,
    content: JSON.parse(String(row.content)) as MailContent,
    subject: String(row.subject),
    body: String(row.body),
    importance: row.importance as Importance,
    thread: row.thread as MessageId,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to as MessageId }),
    ...(row.ack_due_at === null ? {} : { ackDueAt: Number(row.ack_due_at) }),
    sentAt: Number(row.sent_at),
  };
}
