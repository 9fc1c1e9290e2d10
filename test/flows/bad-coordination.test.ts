/** What nobody may ask of the coordination: a typed error that says what to do, and every table as it was. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations, type OperationName } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { requestFor, send } from "./wire.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
let ended: ScratchAgent;
let stranger: ScratchAgent;
/** What the cases name. */
let known: Readonly<Record<"held" | "heldToken" | "owned" | "ownedToken" | "free" | "dependent" | "closed", string>>;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { SYLK_FILE_HISTORY_MODE: "off" } });
  heron = await daemon.register("heron");
  otter = await daemon.register("otter");
  ended = await daemon.register("newt");
  stranger = await daemon.register("wren", { project: daemon.addRepository("elsewhere") });
  symlinkSync(daemon.root, join(daemon.repository, "out"));
  symlinkSync("/nowhere/at/all", join(daemon.repository, "dangling"));
  const create = async (title: string, dependsOn: readonly string[] = []): Promise<string> =>
    (await heron.client.call("work-item.create", { title, dependsOn: [...dependsOn] })).workItem.id;
  const [owned, free, closed] = [await create("owned"), await create("free"), await create("closed")];
  const { lease } = await heron.client.call("work-item.claim", { id: owned });
  await heron.client.call("work-item.close", { id: closed, reason: "done" });
  const { reservation } = await heron.client.call("reservation.acquire", { paths: ["src/held.ts"] });
  await ended.client.call("agent.end", { id: ended.agent.id });
  known = {
    held: reservation.id,
    heldToken: String(reservation.fencingToken),
    owned,
    ownedToken: String(lease.fencingToken),
    free,
    dependent: await create("dependent", [free]),
    closed,
  };
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Who = "heron" | "otter" | "ended" | "stranger" | "nobody";
type Case = readonly [
  what: string,
  who: Who,
  operation: OperationName,
  /** `$name` stands for what is known by that name. */
  input: Readonly<Record<string, unknown>>,
  code: string,
  /** What the message says to do. */
  wayOut: RegExp,
];

const paths = ["src/new.ts"];
const cases: readonly Case[] = [
  ["a token nobody was given", "nobody", "reservation.acquire", { paths }, "token.unknown", /register|token/i],
  [
    "work for an unknown agent",
    "heron",
    "work-item.ready",
    { for: "nobody-of-us" },
    "agent.not-found",
    /sylk who|there is no agent/i,
  ],
  [
    "a reservation by an agent that ended",
    "ended",
    "reservation.acquire",
    { paths },
    "token.unknown|agent.ended",
    /register/i,
  ],
  [
    "a claim by an agent that ended",
    "ended",
    "work-item.claim",
    { id: "$free" },
    "token.unknown|agent.ended",
    /register/i,
  ],
  [
    "a renewal in another project",
    "stranger",
    "reservation.renew",
    { id: "$held" },
    "caller.denied",
    /another project/,
  ],
  [
    "a release in another project",
    "stranger",
    "reservation.release",
    { id: "$held" },
    "caller.denied",
    /another project/,
  ],
  [
    "a claim in another project",
    "stranger",
    "work-item.claim",
    { id: "$free" },
    "caller.denied|work-item.not-found",
    /project|sylk/,
  ],
  [
    "a close in another project",
    "stranger",
    "work-item.close",
    { id: "$free" },
    "caller.denied|work-item.not-found",
    /project|sylk/,
  ],
  [
    "somebody else's fencing token, to reserve",
    "otter",
    "reservation.acquire",
    { paths, fencingToken: "$heldToken" },
    "lease.lost",
    /reserve the paths again/,
  ],
  [
    "somebody else's fencing token, to check",
    "otter",
    "reservation.check",
    { paths, fencingToken: "$heldToken" },
    "lease.lost",
    /reserve the paths again/,
  ],
  [
    "somebody else's fencing token, to close",
    "otter",
    "work-item.close",
    { id: "$owned", fencingToken: "$ownedToken" },
    "lease.lost",
    /heron owns it now; look at it again/,
  ],
  [
    "a dependency on itself",
    "heron",
    "work-item.update",
    { id: "$free", dependsOn: ["$free"] },
    "work-item.cycle",
    /close a cycle/,
  ],
  [
    "a dependency in a circle",
    "heron",
    "work-item.update",
    { id: "$free", dependsOn: ["$dependent"] },
    "work-item.cycle",
    /close a cycle/,
  ],
  [
    "a path above the repository",
    "heron",
    "reservation.acquire",
    { paths: ["../shop/a.ts"] },
    "input.invalid",
    /repository|relative/,
  ],
  [
    "a path through the middle",
    "heron",
    "reservation.acquire",
    { paths: ["src/../../a.ts"] },
    "input.invalid",
    /repository|relative/,
  ],
  [
    "an absolute path",
    "heron",
    "reservation.acquire",
    { paths: ["/etc/passwd"] },
    "input.invalid",
    /repository|relative/,
  ],
  [
    "a glob above the repository",
    "heron",
    "reservation.acquire",
    { patterns: ["../**"] },
    "input.invalid",
    /repository|relative/,
  ],
  ["an absolute glob", "heron", "reservation.acquire", { patterns: ["/**"] }, "input.invalid", /repository|relative/],
  [
    "a link that leads out",
    "heron",
    "reservation.acquire",
    { paths: ["out/h/token"] },
    "input.invalid",
    /through a link; reserve/,
  ],
  [
    "a file yet to be made behind a link that leads out",
    "heron",
    "reservation.acquire",
    { paths: ["out/new/deep.ts"] },
    "input.invalid",
    /through a link; reserve/,
  ],
  [
    "a glob behind a link that leads out",
    "heron",
    "reservation.acquire",
    { patterns: ["out/**/*.ts"] },
    "input.invalid",
    /through a link; reserve/,
  ],
  [
    "a link to nowhere",
    "heron",
    "reservation.acquire",
    { paths: ["dangling"] },
    "input.invalid",
    /through a link; reserve/,
  ],
  [
    "good paths with one that leads out",
    "heron",
    "reservation.acquire",
    { paths: ["src/a.ts", "out/a.ts"] },
    "input.invalid",
    /out\/a\.ts/,
  ],
  ["a time limit of nothing", "heron", "reservation.acquire", { paths, ttlMs: 0 }, "input.invalid", /ttlMs/],
  [
    "a time limit of a year",
    "heron",
    "reservation.acquire",
    { paths, ttlMs: 31_536_000_000 },
    "input.invalid",
    /ttlMs/,
  ],
  ["a negative time limit", "heron", "reservation.acquire", { paths, ttlMs: -1 }, "input.invalid", /ttlMs/],
  ["half a millisecond", "heron", "reservation.acquire", { paths, ttlMs: 1500.5 }, "input.invalid", /ttlMs/],
  ["a wait without end", "heron", "reservation.acquire", { paths, waitMs: 1e12 }, "input.invalid", /waitMs/],
  ["10,000 patterns", "heron", "reservation.acquire", { patterns: many("src/**/*.") }, "input.invalid", /patterns/],
  ["10,000 paths", "heron", "reservation.acquire", { paths: many("src/a.") }, "input.invalid", /paths/],
  [
    "more paths than one may hold",
    "heron",
    "reservation.acquire",
    { paths: many("src/a.").slice(0, 100) },
    "reservation.limit",
    /release some first/,
  ],
  ["a claim on a closed item", "otter", "work-item.claim", { id: "$closed" }, "work-item.closed", /sylk ready/],
  ["a second close", "otter", "work-item.close", { id: "$closed" }, "work-item.closed", /already closed/],
  ["a close of another's item", "otter", "work-item.close", { id: "$owned" }, "claim.taken", /heron/],
  ["a release of another's item", "otter", "work-item.release", { id: "$owned" }, "lease.lost", /heron|claim/],
  [
    "a release of another's hold",
    "otter",
    "reservation.release",
    { id: "$held" },
    "caller.denied",
    /held by heron; only its holder/,
  ],
  [
    "a renewal of another's hold",
    "otter",
    "reservation.renew",
    { id: "$held" },
    "caller.denied",
    /held by heron; only its holder/,
  ],
  [
    "force without having asked",
    "otter",
    "reservation.force",
    { id: "$held" },
    "reservation.conflict|caller.denied",
    /sylk negotiate/,
  ],
];

it.each(cases)("refuses %s", async (_what, who, name, input, code, wayOut) => {
  const before = tables();
  const request = requestFor(operations[name], named(input));
  const headers = { ...request.headers, authorization: `Bearer ${tokenOf(who)}` };
  const answer = await send({ socketPath: daemon.paths.socket }, { ...request, headers });
  const { error } = JSON.parse(answer.body) as { error: { code: string; message: string } };
  expect(error.code).toMatch(new RegExp(`^(${code})$`));
  expect(error.message).toMatch(wayOut);
  expect(tables()).toEqual(before);
});

function many(stem: string): readonly string[] {
  return Array.from({ length: 10_000 }, (_, index) => `${stem}${index}`);
}

function named(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = JSON.stringify(input).replaceAll(/"\$(\w+)"/g, (_, name: keyof typeof known) =>
    name.endsWith("Token") ? known[name] : JSON.stringify(known[name]),
  );
  return JSON.parse(text) as Record<string, unknown>;
}

function tokenOf(who: Who): string {
  return who === "nobody" ? "sylk_agt_0000" : { heron, otter, ended, stranger }[who].token;
}

/** Signs of life are written now and then by the clock, whatever is asked. */
const livenessColumns = ["last_seen_at", "last_used_at"];

function tables(): Readonly<Record<string, unknown>> {
  const store = new Database(daemon.paths.database, { readonly: true });
  try {
    const names = store
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all() as string[];
    return Object.fromEntries(names.map((name) => [name, rowsOf(store, name)]));
  } finally {
    store.close();
  }
}

function rowsOf(store: Database.Database, table: string): readonly unknown[] {
  const rows = store.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !livenessColumns.includes(name))));
}
