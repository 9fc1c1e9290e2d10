/** Sessions that store at the same time: commands in processes of their own, and clients over HTTP and the socket. */
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openScratchDaemon } from "./scratch-daemon.ts";

const sessionNames = ["north", "east", "south", "west"] as const;
const perClient = 20;
const perShell = 2;

it("concurrent sessions of several processes and clients lose, mix and damage nothing [ARCV-36, ARCV-33, SM-29]", async () => {
  await using daemon = await openScratchDaemon({ commands: "as processes" });
  const sessions = await Promise.all(
    sessionNames.map(async (name) => {
      const { session } = await daemon.user.call("session.create", { name });
      const { token } = await daemon.register(name);
      const clients = [daemon.tcpClientOf({ token }), daemon.clientOf({ token })];
      await clients[0]!.call("session.switch", { id: session.id });
      return { name, id: session.id, clients };
    }),
  );
  const entry = (name: string, by: string, number: number) => ({
    title: `${name} ${by} ${number}`,
    content: { by: name, number, text: `${name} `.repeat(40).trim() },
  });
  const byClients = sessions.flatMap(({ name, clients }) =>
    clients.flatMap((client, by) =>
      Array.from({ length: perClient }, (_, number) =>
        client.call("history.store", { ...entry(name, `client ${by}`, number), category: "stamps", keep: number < 5 }),
      ),
    ),
  );
  const byShells = sessions.flatMap(({ name, id }) =>
    Array.from({ length: perShell }, async (_, number) => {
      const { title, content } = entry(name, "shell", number);
      const flags = ["--category", "stamps", "--content", JSON.stringify(content), "--session", id, "--keep"];
      const { code, stderr } = await daemon.sylk(["history", "store", title, ...flags]);
      expect([code, stderr]).toEqual([0, ""]);
    }),
  );
  // Nobody writes into the session of another, however many try.
  const byStrangers = sessions.flatMap(({ name, clients }, who) =>
    sessions
      .filter((_, whose) => whose !== who)
      .map(async ({ id }) => {
        const foreign = clients[0]!.call("history.store", { ...entry(name, "stranger", 0), session: id });
        await expect(foreign).rejects.toMatchObject({ code: "caller.denied" });
      }),
  );
  // Meanwhile the entries are searched, saved and restored elsewhere.
  const [north] = sessions;
  const aside = (await daemon.user.call("session.create", { name: "aside" })).session.id;
  const upkeep = async () => {
    const { snapshot } = await daemon.user.call("history.snapshot", { session: aside });
    await daemon.user.call("history.restore", { id: snapshot.id });
    await daemon.user.call("history.compact", { session: aside });
    await north!.clients[0]!.call("history.list", { query: "north", allSessions: true });
  };
  const inTurn = async () => {
    for (let times = 0; times < 10; times++) await upkeep();
  };
  await Promise.all([...byClients, ...byShells, ...byStrangers, inTurn()]);

  for (const { name, id, clients } of sessions) {
    const expected = [
      ...[0, 1].flatMap((by) => Array.from({ length: perClient }, (_, one) => entry(name, `client ${by}`, one))),
      ...Array.from({ length: perShell }, (_, one) => entry(name, "shell", one)),
    ].toSorted((a, b) => a.title.localeCompare(b.title));
    const { items } = await clients[0]!.call("history.list", { category: "stamps", limit: 100 });
    const found = items.toSorted((a, b) => a.title.localeCompare(b.title));
    expect(found.map(({ title, content }) => ({ title, content }))).toEqual(expected);
    expect(new Set(found.map(({ session }) => session))).toEqual(new Set([id]));
    expect(new Set(found.map((one) => one.id)).size).toBe(expected.length);
    const hits = await clients[1]!.call("history.list", {
      query: name,
      category: "stamps",
      limit: 100,
      allSessions: true,
    });
    expect(new Set(hits.items.map((one) => one.id))).toEqual(new Set(found.map((one) => one.id)));
  }
  const database = new Database(daemon.paths.database, { readonly: true });
  try {
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  } finally {
    database.close();
  }
}, 120_000);
