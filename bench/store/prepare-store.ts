/**
 * Fills a store: one agent and one work item through the engine, then as many copies of their rows as are wanted,
 * written directly, because a hundred thousand operations would take longer than the benchmark.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { AgentId, WorkItemId } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import { hashToken, newToken } from "../../src/platform/tokens.ts";
import { writeFleet } from "./fleet.ts";
import { openEngine } from "./open-engine.ts";

type Plan = { readonly home: string; readonly fleet: string; readonly agents: number; readonly items: number };
type Row = Record<string, string | number | null>;

export async function prepareStore({ home, fleet, agents, items }: Plan): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const first = await makeFirst(home);
  const store = new Database(join(home, "sylk.db"));
  store.pragma("synchronous = OFF");
  const ids = randomIds(systemClock());
  const copies = store.transaction(() => ({
    agents: Array.from({ length: agents }, (_, index) => copyAgent(store, first.agent, ids.next("agt"), index)),
    items: Array.from({ length: items }, () => copyItem(store, first.item, ids.next("wrk"), ids.next("evt"))),
  }))();
  store.pragma("wal_checkpoint(TRUNCATE)");
  store.close();
  writeFleet(fleet, copies);
}

async function makeFirst(home: string): Promise<{ agent: AgentId; item: WorkItemId }> {
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  const engine = await openEngine(home);
  const registration = { sessionKey: "first", client: "other", project: { path: project } } as const;
  const { agent, token } = await engine.dispatch("agent.register", registration, { kind: "user", project: undefined });
  const { workItem } = await engine.dispatch(
    "work-item.create",
    {
      title: "Rate-limit POST /orders",
      body: "One bucket per customer; answer 429 with Retry-After.",
      type: "feature",
    },
    await engine.authenticate({ token }, "agent"),
  );
  await engine.close();
  return { agent: agent.id, item: workItem.id };
}

function copyAgent(store: Database.Database, first: AgentId, id: AgentId, index: number) {
  const token = newToken("agt");
  const name = `agent-${index}`;
  insert(store, "agents", { ...rowOf(store, "agents", "id", first), id, name, session_key: name });
  insert(store, "tokens", { ...rowOf(store, "tokens", "agent", first), hash: hashToken(token), agent: id });
  return { id, token };
}

function copyItem(store: Database.Database, first: WorkItemId, id: WorkItemId, eventId: string): WorkItemId {
  insert(store, "work_items", { ...rowOf(store, "work_items", "id", first), id });
  const { sequence: _, ...event } = rowOf(store, "events", "subject", first);
  const data = String(event.data).replaceAll(first, id);
  insert(store, "events", { ...event, id: eventId, subject: id, data });
  return id;
}

const originals = new Map<string, Row>();

function rowOf(store: Database.Database, table: string, column: string, value: string): Row {
  let row = originals.get(table);
  if (row === undefined) {
    row = store.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).get(value) as Row | undefined;
    if (row === undefined) throw new Error(`${table} has no row to copy`);
    originals.set(table, row);
  }
  return row;
}

const inserts = new Map<string, Database.Statement>();

function insert(store: Database.Database, table: string, row: Row): void {
  let statement = inserts.get(table);
  if (statement === undefined) {
    const columns = Object.keys(row);
    statement = store.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((column) => `@${column}`).join(", ")})`,
    );
    inserts.set(table, statement);
  }
  statement.run(row);
}
