import { expect, it } from "vitest";
import type { HistoryEntry } from "../../contract/index.ts";
import { createSkillDesk } from "../skills/index.ts";
import { session, signal } from "../skills/testkit.ts";
import { archivalistCallables } from "./skill-handlers.ts";
import { archivalistRole } from "./skills.ts";

const home = session("home");
const entry = (id: string, at: number, status: string, title: string, of = home): HistoryEntry => ({
  id,
  session: of,
  category: id.startsWith("ses") ? "session" : "workflow",
  title,
  content: { status, reason: `why ${id}` },
  at,
});
/** Newest first, as the archive gives them. */
const kept = [
  entry("run_4", 4, "verified", "Add a discount to the cart", session("other")),
  entry("ses_3", 3, "completed", "discounts"),
  entry("run_2", 2, "failed", "Add a receipt"),
  entry("run_1", 1, "verified", "Add a cart"),
];

async function call(name: string, input: object) {
  const callable = archivalistCallables({
    entries: async (words) => kept.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))),
  });
  const desk = createSkillDesk({ role: archivalistRole, session: home, callable });
  const { entries } = (await desk.call(name, input, { signal })) as { entries: { id: string; score?: number }[] };
  return entries.map(({ id, score }) => (score === undefined ? id : `${id} ${score}`));
}

it("looks into its own session, and into others only where that is asked for, each with whose and how well", async () => {
  expect(await call("query", {})).toEqual(["ses_3", "run_2", "run_1"]);
  expect(await call("query", { query: "CART" })).toEqual(["run_1"]);
  expect(await call("cross_session_query", { query: "discount cart" })).toEqual(["run_4 1", "ses_3 0.5", "run_1 0.5"]);
  expect(await call("cross_session_query", { query: "cart", session_ids: [home] })).toEqual(["run_1 1"]);
});

it("tells runs, failures and a session's course apart, within a limit", async () => {
  expect(await call("workflow_history", {})).toEqual(["run_4", "run_2", "run_1"]);
  expect(await call("workflow_history", { limit: 1 })).toEqual(["run_4"]);
  expect(await call("workflow_history", { limit: -3 })).toEqual(["run_4"]);
  expect(await call("failure_search", {})).toEqual(["run_2"]);
  expect(await call("failure_search", { query: "cart" })).toEqual([]);
  expect(await call("session_timeline", {})).toEqual(["run_1", "run_2", "ses_3"]);
  expect(await call("session_timeline", { session_id: session("other") })).toEqual(["run_4"]);
  await expect(call("store", { title: "a", content: {} })).rejects.toThrow("acts inside a run only");
});
