/**
 * Fills a prepared store with messages, written directly, as the mail folder would write them; the full-text index is
 * built at the end, which is quicker than its triggers. Two thirds are direct, the rest goes to everyone or to a topic;
 * words are drawn so that some are in every tenth message and most are rare. Everybody has read all but the last thousand,
 * the first agent nothing at all.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { AgentId, ProjectId } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import { readFleet } from "./fleet.ts";

type Plan = { readonly home: string; readonly fleet: string; readonly messages: number };

const vocabulary = 20_000;
const wordsEach = 12;
const unreadTail = 1_000;

export async function prepareMail({ home, fleet, messages }: Plan): Promise<void> {
  const store = new Database(join(home, "sylk.db"));
  store.pragma("synchronous = OFF");
  store.pragma("journal_mode = MEMORY"); // with a log everything would be written twice
  store.pragma("cache_size = -200000");
  const clock = systemClock();
  const ids = randomIds(clock);
  const agents = readFleet(fleet).agents.map(({ id }) => id);
  const { project } = store.prepare("SELECT project FROM agents WHERE id = ?").get(agents[0]) as { project: ProjectId };
  const insertMessage = store.prepare(
    `INSERT INTO messages (id, project, sender, audience, topic, channel, kind, content, subject, body, importance, thread, sent_at, scope, readers)
     VALUES (@id, @project, @sender, @audience, @topic, @channel, @kind, '{"kind":"text"}', @subject, @body, 'normal', @id, @sentAt, @scope, @readers)`,
  );
  const insertReceiver = store.prepare("INSERT INTO message_receivers (agent, channel, sequence) VALUES (?, ?, ?)");
  const trigger = store
    .prepare("SELECT sql FROM sqlite_master WHERE name = 'message_search_insert'")
    .pluck()
    .get() as string;
  const draw = sequenceOfNumbers(20_261_115);
  const pick = (): AgentId => agents[draw() % agents.length]!;
  store.transaction(() => {
    store.exec("DROP TRIGGER message_search_insert");
    for (let index = 0; index < messages; index++) {
      const [sender, receiver] = [pick(), pick()];
      const audience = (["agents", "agents", "agents", "agents", "everyone", "topic"] as const)[draw() % 6]!;
      const channel = draw() % 3 === 0 ? "notices" : "requests";
      const id = ids.next("msg");
      const { lastInsertRowid } = insertMessage.run({
        id,
        project,
        sender,
        audience,
        topic: audience === "topic" ? "api/orders" : null,
        channel,
        kind: "text",
        subject: wordsOf(draw, 5),
        body: wordsOf(draw, wordsEach),
        sentAt: clock.now(),
        scope: `${project.slice(4)} ${id.slice(4)}`,
        readers: audience === "agents" ? `${sender.slice(4)} ${receiver.slice(4)}` : project.slice(4),
      });
      if (audience === "agents") insertReceiver.run(receiver, channel, lastInsertRowid);
    }
    const read = messages - unreadTail;
    store
      .prepare("UPDATE mailboxes SET requests_cursor = ?, notices_cursor = ? WHERE agent <> ?")
      .run(read, read, agents[0]);
    store.exec("INSERT INTO message_search (message_search) VALUES ('rebuild')");
    store.exec(trigger);
  })();
  store.pragma("journal_mode = WAL");
  store.close();
}

/** Rank by the product of two draws: the first words are everywhere, the last almost nowhere. */
function wordsOf(draw: () => number, count: number): string {
  const words = Array.from(
    { length: count },
    () => `word${Math.floor(((draw() % vocabulary) * (draw() % vocabulary)) / vocabulary)}`,
  );
  return words.join(" ");
}

function sequenceOfNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
