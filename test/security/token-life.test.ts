/** A token's life: issued, renewed, pushed out, revoked; and nowhere to be read but where it was handed out. */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import Database from "better-sqlite3";
import { hashToken } from "../../src/platform/tokens.ts";
import { processesUnder } from "../flows/processes.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import { goodChange, makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { send, type WireAnswer } from "../flows/wire.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const ask = (token: string, { path = "/v1/agents" } = {}): Promise<WireAnswer> =>
  send({ host: "127.0.0.1", port: daemon.port }, { path, headers: { authorization: `Bearer ${token}` } });
const isGood = async (token: string): Promise<boolean> => (await ask(token)).status === 200;

describe("an agent's tokens", () => {
  it("are several, one for each registration of its session; the newest 16 are kept [CORE-20]", async () => {
    const tokens: string[] = [];
    for (let count = 0; count < 17; count++) tokens.push((await daemon.register("heron")).token);
    expect(new Set(tokens).size).toBe(17);
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, ...Array.from({ length: 16 }, () => true)]);
  });

  it("are all revoked with its end; its session gets a new one, and the old ones stay bad [CORE-20]", async () => {
    const [first, second] = [await daemon.register("otter"), await daemon.register("otter")];
    await second.client.call("agent.end", { id: first.agent.id });
    const third = await daemon.register("otter");
    expect(third.agent.id).toBe(first.agent.id);
    expect(await Promise.all([first, second, third].map(({ token }) => isGood(token)))).toEqual([false, false, true]);
  });

  it("are good as a whole and as they are, and in this home alone [CORE-20]", async () => {
    const { token } = await daemon.register("crow");
    await using other = await openScratchDaemon();
    const foreign = (await other.register("crow")).token;
    const swapped = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
    const wrong = [
      token.slice(0, -1),
      `${token}A`,
      swapped,
      token.toUpperCase(),
      token.replace("_agt_", "_usr_"),
      foreign,
      other.userToken,
      hashToken(token),
    ];
    for (const bad of wrong) {
      const { status, body } = await ask(bad);
      expect([status, JSON.parse(body).error.code], bad.slice(0, 12)).toEqual([401, "token.unknown"]);
      expect(body, "an error does not repeat a token").not.toContain(bad);
    }
    expect(await isGood(token)).toBe(true);
  });
});

it("the user's token is exchanged by deleting its file: the old one is refused from the next start on [CORE-20]", async () => {
  await using own = await openScratchDaemon();
  const old = own.userToken;
  const agent = await own.register("heron");
  await own.kill();
  rmSync(own.paths.token);
  await own.restart();
  const fresh = readFileSync(own.paths.token, "utf8").trim();
  expect(fresh).not.toBe(old);
  await expect(own.clientOf({ token: old }).call("daemon.status", {})).rejects.toMatchObject({ code: "token.unknown" });
  expect(await own.clientOf({ token: fresh }).call("daemon.status", {})).toMatchObject({ running: true });
  expect(await agent.client.call("work-item.ready", {}), "agents keep theirs").toEqual({ items: [] });
});

it("no token stands in a process list, an event, an answer or the store, which has hashes [CORE-20]", async () => {
  const shop = makeQuickShop(daemon);
  const agents = await Promise.all(["ant", "bee", "cat"].map((name) => daemon.register(name)));
  const secrets = [daemon.userToken, ...agents.map(({ token }) => token)];
  const run = shop.start(goodChange());
  const commands = await until("a worker is at work", () => {
    const lines = processesUnder(daemon.root).map(commandLine);
    return lines.some((line) => line.includes("__worker")) && lines;
  });
  const asAgent = await daemon.sylk(["who", "--json"], { env: { SYLK_TOKEN: agents[0]!.token } });
  const ended = await run.ended;
  const { items } = await daemon.user.call("event.list", { limit: 1_000 });
  const shown = [...commands, JSON.stringify(items), asAgent.stdout, asAgent.stderr, ended.stdout, ended.stderr];
  for (const secret of secrets) for (const text of shown) expect(text.includes(secret)).toBe(false);
  expect(
    commands.some((line) => line.includes("serve")),
    "the daemon was looked at",
  ).toBe(true);
  using database = opened(daemon.paths.database);
  const hashes = database.prepare("SELECT hash FROM tokens").pluck().all() as string[];
  expect(hashes).toEqual(expect.arrayContaining(secrets.map((secret) => hashToken(secret))));
});

it("everything in the home is the user's alone, also in a folder that others may look into [CORE-20]", async () => {
  await using home = openScratchHome({ env: { ...shopEnv } });
  const before = process.umask(0);
  try {
    expect((await home.sylk(["up"])).code).toBe(0);
    expect((await home.sylk(["provider", "add", "p", "--kind", "openai", "--model", "m", "--key", "k"])).code).toBe(0);
  } finally {
    process.umask(before);
  }
  const entries = readdirSync(home.paths.home, { recursive: true, withFileTypes: true });
  const open = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
  expect(open).toEqual([]);
  expect(entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "sylk.db",
      "sylk.db-wal",
      "sylk.sock",
      "token",
      "daemon.lock",
      "daemon.log",
      "providers.json",
    ]),
  );
  expect((statSync(home.paths.home).mode & 0o777).toString(8)).toBe("700");
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended meanwhile
  }
}

function opened(file: string): Database.Database & Disposable {
  const database = new Database(file, { readonly: true });
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() });
}
