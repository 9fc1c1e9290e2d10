import fc from "fast-check";
import { expect, it } from "vitest";
import { repository, scratchPorts, type AgentCall, type ScratchPorts } from "../../testkit.ts";
import { claimWorkItem, closeWorkItem, getWorkItem, readyWorkItems, updateWorkItem } from "../index.ts";
import { createItem, input, refusalOf } from "../testkit.ts";
import { exportLines } from "./export-lines.ts";
import { importLines } from "./import-lines.ts";
import { issueFile } from "./testkit.ts";

const take = (lines: readonly (object | string)[], call: AgentCall, ports: ScratchPorts) => {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return importLines(input("work-item.import", { lines: texts }), call, ports);
};
const give = async ({ caller }: AgentCall, ports: ScratchPorts) => {
  const { lines } = await exportLines(input("work-item.export", { limit: 500 }), caller, ports);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};
const link = (issue: string, other: string, type: string) => ({
  issue_id: issue,
  depends_on_id: other,
  type,
  created_at: "2025-12-05T15:14:58.784343-08:00",
  created_by: "daemon",
});
const blocked = {
  id: "bd-0ih",
  title: "Handle tombstones",
  description: "Modify merge.go",
  design: "One pass",
  status: "open",
  priority: 1,
  issue_type: "task",
  labels: ["merge"],
  created_at: "2025-12-05T15:14:41.367004-08:00",
  updated_at: "2025-12-05T16:33:16.722162-08:00",
  dependencies: [link("bd-0ih", "bd-fbj", "blocks"), link("bd-0ih", "bd-vw8", "parent-child")],
};
const needed = { id: "bd-fbj", title: "Store tombstones", status: "in_progress", priority: 0, assignee: "matt" };
const epic = { id: "bd-vw8", title: "Tombstones", issue_type: "epic", status: "open", priority: 2 };

it("makes work items that are found, linked and claimed by the ids they had [WRK-12]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  // The first line's links lead to lines that come later.
  expect(await take([blocked], heron, ports)).toMatchObject({ added: 1, openLinks: 2 });
  expect(await take([needed, epic], heron, ports)).toMatchObject({ added: 2, openLinks: 0 });
  const { workItem } = await getWorkItem("bd-0ih", heron.caller, ports);
  const [first, parent] = await Promise.all(["bd-fbj", "bd-vw8"].map((id) => getWorkItem(id, heron.caller, ports)));
  expect(workItem).toMatchObject({
    externalId: "bd-0ih",
    title: "Handle tombstones",
    body: "Modify merge.go\n\n## Design\n\nOne pass",
    type: "task",
    priority: 1,
    labels: ["merge"],
    dependsOn: [first!.workItem.id],
    parent: parent!.workItem.id,
    createdAt: Date.parse(blocked.created_at),
  });
  expect((await refusalOf(claimWorkItem("bd-0ih", heron, ports))).code).toBe("work-item.blocked");
  // Whom beads calls assignee does not own it here: nobody lives under that name.
  const { items } = await readyWorkItems(input("work-item.ready", {}), heron.caller, ports);
  expect(items.map(({ externalId }) => externalId)).toEqual(["bd-fbj", "bd-vw8"]);
  expect((await claimWorkItem("bd-fbj", heron, ports)).workItem.owner?.name).toBe("heron");
});

it("writes what was changed here into the line and keeps the rest of it [WRK-12]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await take([{ ...blocked, a_field_of_next_year: { x: 1 } }, needed, epic], heron, ports);
  await closeWorkItem({ id: "bd-fbj", reason: "merged in 4f2a91c" }, heron, ports);
  const found = await createItem(heron, ports, { title: "Found on the way" });
  const change = { id: "bd-0ih", title: "Handle all tombstones", dependsOn: [], relatesTo: [found.id], body: "Anew" };
  await updateWorkItem(input("work-item.update", change), heron, ports);
  const [changed, closed, untouched, added] = await give(heron, ports);
  const { description: _description, design: _design, ...rest } = blocked;
  expect(changed).toEqual({
    ...rest,
    title: "Handle all tombstones",
    description: "Anew",
    a_field_of_next_year: { x: 1 },
    updated_at: expect.any(String),
    dependencies: [
      blocked.dependencies[1],
      expect.objectContaining({ issue_id: "bd-0ih", depends_on_id: found.id, type: "related" }),
    ],
  });
  expect(closed).toMatchObject({
    ...needed,
    status: "closed",
    close_reason: "merged in 4f2a91c",
    closed_at: expect.any(String),
  });
  expect(untouched).toEqual(epic);
  expect(added).toMatchObject({ id: found.id, title: "Found on the way", status: "open", issue_type: "change" });
});

it("takes over what the file changed since, and keeps what was changed here [WRK-12]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await take([blocked, needed, epic], heron, ports);
  await updateWorkItem(input("work-item.update", { id: "bd-0ih", priority: 0 }), heron, ports);
  const theirs = { ...blocked, title: "Handle tombstones well", dependencies: [blocked.dependencies[1]] };
  expect(await take([theirs, needed], heron, ports)).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
  const { workItem } = await getWorkItem("bd-0ih", heron.caller, ports);
  expect(workItem).toMatchObject({ title: "Handle tombstones well", priority: 0, dependsOn: [] });
  expect(workItem.parent).toBeDefined();
  expect((await give(heron, ports))[0]).toMatchObject({ ...theirs, priority: 0, updated_at: expect.any(String) });
});

it("leaves out a link that would go round in a circle, says so, and keeps the line [WRK-12]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const round = [
    { id: "bd-1", title: "one", dependencies: [link("bd-1", "bd-2", "blocks")] },
    { id: "bd-2", title: "two", dependencies: [link("bd-2", "bd-1", "blocks")] },
  ];
  const { refusedLinks } = await take(round, heron, ports);
  expect(refusedLinks).toHaveLength(1);
  expect(await give(heron, ports)).toEqual(round);
});

it("imports none of the lines when one is wrong, and names each wrong line [WRK-12]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lines = [
    epic,
    "{not json",
    { id: "bd-9" },
    { id: "no dash", title: "x" },
    { ...epic, id: "bd-8", priority: 9 },
  ];
  const refusal = await refusalOf(Promise.resolve().then(() => take(lines, heron, ports)));
  expect(refusal.code).toBe("input.invalid");
  expect((refusal.details.problems as { path: string }[]).map(({ path }) => path)).toEqual([
    "line 2",
    "line 3",
    "line 4",
    "line 5",
  ]);
  expect(await give(heron, ports)).toEqual([]);
});

it("keeps the same id of two projects apart, and exports nothing without a project", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  await take([{ ...epic, title: "of the shop" }], heron, ports);
  await take([{ ...epic, title: "of the bank" }], lynx, ports);
  expect((await getWorkItem("bd-vw8", heron.caller, ports)).workItem.title).toBe("of the shop");
  expect((await getWorkItem("bd-vw8", lynx.caller, ports)).workItem.title).toBe("of the bank");
  const nowhere = exportLines(input("work-item.export", {}), { kind: "user", project: undefined }, ports);
  expect((await refusalOf(nowhere)).code).toBe("agent.unknown-project");
});

it("carries 10,000 items with every field and kind of link there and back [WRK-12]", { timeout: 120_000 }, async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const [some] = fc.sample(issueFile(60, 60), { numRuns: 1, seed: 7 });
  const lines = Array.from({ length: 10_000 }, (_, index) => {
    const issue = JSON.parse(some![index % some!.length]!) as {
      id: string;
      dependencies?: { depends_on_id: string }[];
    };
    const round = Math.floor(index / some!.length);
    const renamed = (id: string) => `r${round}-${id}`;
    const dependencies = issue.dependencies?.map((each) => ({ ...each, depends_on_id: renamed(each.depends_on_id) }));
    return JSON.stringify({ ...issue, id: renamed(issue.id), ...(dependencies === undefined ? {} : { dependencies }) });
  });
  const text = lines.join("\n");
  for (const kind of ["blocks", "related", "discovered-from", "parent-child"])
    expect(text).toContain(`"type":"${kind}"`);
  for (let start = 0; start < lines.length; start += 500) await take(lines.slice(start, start + 500), heron, ports);
  const exported: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = input("work-item.export", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    const page = await exportLines(query, heron.caller, ports);
    exported.push(...page.lines);
    cursor = page.nextCursor;
  }
  expect(exported.length).toBe(10_000);
  expect(exported.filter((line, index) => line !== lines[index])).toEqual([]);
});
