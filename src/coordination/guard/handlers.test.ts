import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRecentReads } from "../commits/index.ts";
import { repository, scratchPorts, type ScratchPorts } from "../testkit.ts";
import { type GuardHandlerPorts, guardHandlers } from "./handlers.ts";
import { isStrict } from "./is-strict.ts";
import { noteUnanswered } from "./note-unanswered.ts";
import type { GuardPolicy } from "./ports.ts";
import { createGatePasses } from "./gate-passes.ts";
import { createToldLosses } from "./told-losses.ts";
import { createToolCalls } from "./tool-calls.ts";
import { createUnguardedCalls } from "./unguarded-calls.ts";

function guarded(ports: ScratchPorts, changes: Partial<GuardHandlerPorts> = {}) {
  const progressed: string[] = [];
  const handlers = guardHandlers({
    ...ports,
    told: createToldLosses(),
    passes: createGatePasses(ports.clock),
    unguarded: createUnguardedCalls(),
    calls: createToolCalls(ports.clock),
    reads: createRecentReads(ports.clock),
    policyFor: async () => "deny",
    incidents: () => [],
    clearLeftovers: async () => ({ removed: [], quarantined: [] }),
    ingestOutcomes: async () => {},
    noteProgress: (agent) => void progressed.push(agent),
    catchUp: { refresh: () => [] },
    enforce: "auto",
    shells: { asked: async () => {} },
    follower: { soon: () => {}, started: () => {} },
    confinement: {
      state: async () => ({ enforced: false, reason: "not here" }),
      wordsFor: () => [],
      running: async () => [],
    },
    ...changes,
  });
  return { handlers, progressed };
}

it("counts a write that it lets through as progress, and hands over what the agent has to read again", async () => {
  using ports = scratchPorts();
  const refresh = [["src/b.ts"], []];
  const { handlers, progressed } = guarded(ports, { catchUp: { refresh: () => refresh.shift()! } });
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter");
  const write = { paths: [join(heron.caller.tree, "src/a.ts")], patterns: [], unknown: [] };
  expect(await handlers["guard.write"](write, heron)).toMatchObject({ refresh: ["src/b.ts"] });
  expect(await handlers["guard.write"](write, heron)).not.toHaveProperty("refresh");
  await expect(handlers["guard.write"](write, otter)).rejects.toMatchObject({ code: "reservation.conflict" });
  expect(progressed).toEqual([heron.caller.agent.id, heron.caller.agent.id]);
});

it("counts the hooks that had no daemon before a session begins, so that its first line names them", async () => {
  using ports = scratchPorts();
  const unguarded = createUnguardedCalls();
  const { caller, transact } = await ports.caller("heron");
  const hook = { component: "hook/claude-code/PreToolUse", why: "no answer", agent: caller.agent, place: caller.tree };
  const { handlers } = guarded(ports, { unguarded, ingestOutcomes: () => noteUnanswered(hook, unguarded) });
  const wanted = { sessionKey: "heron", client: "other", project: { path: caller.tree } } as const;
  const { line } = await handlers["guard.start"](wanted, { caller: { kind: "user", project: undefined }, transact });
  expect(line).toContain("PreToolUse");
});

it("notes a hook without an answer for the tree it was in; the commit gate's own hooks refuse by themselves", async () => {
  using ports = scratchPorts();
  const tree = repository(ports.folder, "shop");
  mkdirSync(join(tree, "src"));
  const unguarded = createUnguardedCalls();
  const hook = { component: "hook/codex/shell", why: "no answer", agent: undefined, place: join(tree, "src") };
  await noteUnanswered(hook, unguarded);
  await noteUnanswered({ ...hook, component: "hook/git/pre-commit" }, unguarded);
  await noteUnanswered({ ...hook, place: undefined }, unguarded);
  await noteUnanswered({ ...hook, place: "/nowhere" }, unguarded);
  expect(unguarded.inTree(tree)).toMatchObject([{ what: "hook/codex/shell: no answer" }]);
});

it("is strict where the policy of the folder's tree is, and not in a folder that cannot be read", async () => {
  using ports = scratchPorts();
  const tree = repository(ports.folder, "shop");
  const policies: Record<string, GuardPolicy> = { [tree]: "strict" };
  const policyFor = async (at: string) => policies[at] ?? "strict";
  expect(await isStrict(tree, { policyFor })).toBe(true);
  policies[tree] = "deny";
  expect(await isStrict(tree, { policyFor })).toBe(false);
  expect(await isStrict("/nowhere", { policyFor })).toBe(false);
});
