import { expect, it } from "vitest";
import type { PresentAgent } from "../../../contract/index.ts";
import { displayWidth } from "../display-width.ts";
import { renderTop } from "./render-top.ts";
import type { TopSnapshot } from "./take-snapshot.ts";

const now = 1_000_000;
const terms = { now, width: 80, hasProjects: false, paint: (_tone: string, text: string) => text };

function agent(name: string, more: Partial<PresentAgent> = {}): PresentAgent {
  return {
    id: `agt_${name}` as PresentAgent["id"],
    name,
    client: "claude-code",
    project: { id: "prj_1" as PresentAgent["project"]["id"], name: "shop", path: "/home/ada/shop/.git" },
    tree: "/home/ada/shop",
    status: "active",
    capabilities: [],
    registeredAt: now,
    lastSeenAt: now - 5_000,
    workItems: [],
    files: [],
    waits: [],
    guard: "guarded",
    shell: "enforced",
    ...more,
  };
}
const snapshot = (agents: readonly PresentAgent[], more: Partial<TopSnapshot> = {}): TopSnapshot => ({
  agents,
  hasMore: false,
  notInstalled: [],
  incidents: [],
  decisions: [],
  cursor: 1,
  ...more,
});

const deep = "packages/checkout/src/components/basket/very/deep/discount-of-the-day.ts";
const busy = agent("heron", {
  task: "Rate-limit POST /orders",
  branch: "main",
  terminal: "pts/3",
  pid: 42,
  files: [deep, "b.ts"],
  waits: [
    { paths: [deep], how: "asked", holder: { id: busyId(), name: "otter", client: "codex" }, since: now - 1_000 },
  ],
  uncommitted: { count: 7, paths: [deep] },
  lastActivity: { at: now - 3_000, type: "reservation.acquired", text: `reserved ${deep}` },
});
function busyId(): PresentAgent["id"] {
  return "agt_otter" as PresentAgent["id"];
}

it("shows every fact of a busy agent in 80 columns: paths give way, names and counts do not [DASH-19]", () => {
  const lines = renderTop(snapshot([busy]), terms);
  const text = lines.join("\n");
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  for (const part of [
    "heron  claude-code  active  main  pts/3",
    "Rate-limit POST /orders",
    "(otter)",
    "uncommitted 7:",
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/holds packages\S+…\S+discount-of-the-day\.ts \(\+1\)/);
});

it("marks what is not known, and says none where there is none [DASH-19]", () => {
  expect(renderTop(snapshot([agent("wren")]), terms).slice(2)).toEqual([
    "wren  claude-code  active  ?  ?",
    "  uncommitted ?, last: seen 5 s ago",
  ]);
  const known = agent("wren", { pid: 7, branch: "main", uncommitted: { count: 0, paths: [] } });
  expect(renderTop(snapshot([known]), terms).slice(2)).toEqual([
    "wren  claude-code  active  main  pid 7",
    "  last: seen 5 s ago",
  ]);
  expect(renderTop(snapshot([]), terms)).toContain("no agents");
});

it("puts problems first, each with the command to type [DASH-19]", () => {
  const troubled = snapshot([busy], {
    notEnforced: "the disk is full",
    incidents: ["a", "b"],
    decisions: [{}, {}] as never,
  });
  expect(renderTop(troubled, terms).slice(0, 4)).toEqual([
    "1 agent, 1 active, 1 waiting",
    "coordination is NOT enforced: the disk is full",
    "2 unresolved incidents: sylk health",
    "2 decisions waiting for you: sylk approvals",
  ]);
});

it("fits 300 agents into the height of the window, and says how many have no room [DASH-19]", () => {
  const agents = Array.from({ length: 300 }, (_, at) => agent(`a-${at}`, { task: `Task ${at}` }));
  for (const width of [20, 80, 200]) {
    const lines = renderTop(snapshot(agents), { ...terms, width, height: 24 });
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.at(-1)).toMatch(/^… 2\d\d more/);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
});
