import { expect, it } from "vitest";
import type { HistoryEntry, SessionId } from "../../contract/index.ts";
import { agentIn, otherProject, type ScratchArchive, scratchArchive, sessionOf, shop } from "./testkit.ts";

const [own, other] = [sessionOf(1), sessionOf(2)];
const heron = agentIn(own);
const run = (number: number, title: string, content: HistoryEntry["content"] = {}, session: SessionId = own) => ({
  id: `run_${String(number).padStart(3, "0")}`,
  session,
  category: "workflow",
  title,
  content,
  at: number,
});
const keep = (at: ScratchArchive, entry: ReturnType<typeof run>, project = shop) =>
  at.store.transact("keep", (tx) => tx.archive.keep(project, entry));

it("finds entries by words in title or content, the best first, of the caller's project only [RUN-1]", async () => {
  using at = await scratchArchive();
  await keep(at, run(1, "Add Discounts", { status: "verified" }));
  await keep(at, run(2, "Add taxes", { note: "no discounts" }));
  await keep(at, run(3, "Add discounts elsewhere"), otherProject);
  const ids = async (query?: string) =>
    (await at.call("history.list", { query, limit: 100 }, heron)).items.map(({ id }) => id);
  expect(await ids()).toEqual(["run_002", "run_001"]);
  expect(await ids("discounts")).toEqual(["run_001", "run_002"]);
  expect(await ids("discount VERIFIED")).toEqual(["run_001", "run_002"]);
  expect(await ids("zanzibar")).toEqual([]);
  expect(await ids('100% _ " * (')).toEqual([]);
});

it("replaces an entry that ends again, and pages without gap or repetition [RUN-1]", async () => {
  using at = await scratchArchive();
  for (let number = 1; number <= 5; number++) await keep(at, run(number, `Run ${number}`, { status: "unverified" }));
  await keep(at, run(3, "Run 3", { status: "verified" }));
  const pages = [];
  for (let cursor: string | undefined; pages.length < 3;) {
    const page = await at.call("history.list", { limit: 2, cursor }, heron);
    pages.push(page);
    cursor = page.nextCursor;
  }
  expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([
    "run_005",
    "run_004",
    "run_003",
    "run_002",
    "run_001",
  ]);
  expect([pages[1]!.items[0]?.content, pages[2]!.nextCursor]).toEqual([{ status: "verified" }, undefined]);
  await expect(at.call("history.list", { cursor: "run_1" }, heron)).rejects.toMatchObject({ code: "input.invalid" });
});

it("sees its own session, what was promoted, and others only where it names them; each hit says whose it is", async () => {
  using at = await scratchArchive();
  const stored = async (session: SessionId, title: string) =>
    (await at.call("history.store", { title, category: "decision" }, agentIn(session))).entry.id;
  await stored(own, "Round prices down");
  const theirs = await stored(other, "Round prices up");
  const titles = async (more: object) =>
    (await at.call("history.list", { query: "prices", ...more }, heron)).items.map(
      ({ session, title, score }) => `${session.at(-1)} ${title} ${score! > 0}`,
    );
  expect(await titles({})).toEqual(["1 Round prices down true"]);
  expect(await titles({ allSessions: true })).toHaveLength(2);
  expect(await titles({ sessions: [other] })).toEqual(["2 Round prices up true"]);
  await at.call("history.promote", { id: theirs, reason: "all must" }, agentIn(other));
  expect((await titles({})).toSorted()).toEqual(["1 Round prices down true", "2 Round prices up true"]);
  await at.call("history.promote", { id: theirs, reason: "not any more", revoke: true }, agentIn(other));
  expect(await titles({})).toEqual(["1 Round prices down true"]);
  await at.call("history.mark", { id: theirs, mark: "archive" }, agentIn(other));
  expect(await titles({ allSessions: true })).toEqual(["1 Round prices down true"]);
  expect(await titles({ allSessions: true, archived: true })).toHaveLength(2);
});

it("refuses an unknown session, a foreign write, a large content and a call without a session", async () => {
  using at = await scratchArchive();
  const theirs = (await at.call("history.store", { title: "x" }, agentIn(other))).entry.id;
  const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });
  await refused(at.call("history.list", { session: sessionOf(9) }, heron), "session.not-found");
  await refused(at.call("history.store", { title: "x", session: other }, heron), "caller.denied");
  await refused(at.call("history.promote", { id: theirs, reason: "mine" }, heron), "caller.denied");
  await refused(at.call("history.promote", { id: "ent_none", reason: "mine" }, heron), "entry.not-found");
  await refused(at.call("history.store", { title: "x", content: { x: "y".repeat(40_000) } }, heron), "input.invalid");
  await refused(at.call("history.list", {}, { kind: "user", project: undefined }), "input.invalid");
  const person = agentIn(own, { client: "human", name: "you" });
  expect((await at.call("history.store", { title: "x", session: other }, person)).entry.session).toBe(other);
  expect(
    (await at.call("history.list", { allSessions: true }, { kind: "user", project: undefined })).items,
  ).toHaveLength(2);
});
