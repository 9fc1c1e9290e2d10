import { expect, it } from "vitest";
import type { Finding, Run } from "../../contract/index.ts";
import { issuesOf } from "./skill-handlers.ts";

const finding = (id: string, severity: Finding["severity"], level?: Finding["level"]) =>
  ({ id, severity, level }) as Finding;
const run = {
  id: "run_1",
  findings: [
    finding("note", "informational"),
    finding("rule", "important"),
    finding("test", "blocking"),
    finding("hole", "blocking", "critical"),
  ],
} as Run;
const ids = (severity?: Parameters<typeof issuesOf>[1]) => issuesOf(run, severity).issues.map(({ id }) => id);

it("issues come worst first, and by a checker's own scale or what the severity means", () => {
  expect(ids()).toEqual(["hole", "test", "rule", "note"]);
  expect([ids("critical"), ids("high"), ids("medium"), ids("low")]).toEqual([["hole"], ["test"], ["rule"], ["note"]]);
});
