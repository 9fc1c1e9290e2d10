import { expect, it } from "vitest";
import { matchesType, rowsOf } from "./filter-events.ts";
import { emptyLog, markRemoved, mergePage } from "./merge-events.ts";
import { logEvent } from "./testkit.ts";

it("reads a type pattern as the daemon does [DASH-11]", () => {
  const matched = (pattern: string) => ["mail.sent", "run.started", "run"].filter((type) => matchesType(pattern, type));
  expect([
    matched("**"),
    matched("run.*"),
    matched("*.sent"),
    matched("run.**"),
    matched("mail.sent"),
    matched("*"),
  ]).toEqual([
    ["mail.sent", "run.started", "run"],
    ["run.started"],
    ["mail.sent"],
    ["run.started", "run"],
    ["mail.sent"],
    ["run"],
  ]);
});

it("finds events by words and by the id of a thing, and keeps gaps in their place [DASH-11]", () => {
  const events = [
    logEvent(5, { data: { agent: { name: "Heron" } } }),
    logEvent(6, { type: "mail.sent", subject: "msg_1", data: { message: { from: { id: "agt_7" } } } }),
  ];
  const log = markRemoved(mergePage(emptyLog, { after: 4, upTo: 6, events }), 4);
  const found = (text: string, subject = "") =>
    rowsOf(log, { text, subject }).map((row) => (row.kind === "event" ? row.event.sequence : `gap ${row.upTo}`));
  expect([
    found(""),
    found("heron AGENT"),
    found("nothing"),
    found("", "agt_7"),
    found("", "msg_1"),
    found("", "agt_"),
  ]).toEqual([["gap 4", 5, 6], ["gap 4", 5], ["gap 4"], ["gap 4", 6], ["gap 4", 6], ["gap 4"]]);
});
