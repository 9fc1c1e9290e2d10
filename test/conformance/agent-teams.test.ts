/** Claude Code's agent teams: messages in the shape of 2.1, written by us, and what becomes of them in our work items. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentTeams, withAgentTeams, type TeamReport } from "../../src/adapters/agent-teams/index.ts";
import { claudeCode } from "../../src/adapters/claude-code/index.ts";
import type { AgentCaller, ClientTask, Dispatch, HookEvent, WorkItem } from "../../src/contract/index.ts";
import { scratchHealth } from "../../src/oversight/health/testkit.ts";
import { openWorld } from "../../src/app/simulation/simulate.ts";
import { mirrorTask } from "../../src/surfaces/hooks/mirror-task.ts";
import { clientAdapterSuite } from "./client-adapter.ts";

const base = { session_id: "5b1c", transcript_path: "/t.jsonl", cwd: "/home/ada/shop" };
const session = { key: "5b1c", client: "claude-code" } as const;
const team = { teammate_name: "tester", team_name: "session-5b1c" };
const message = (event: string, fields: object = {}): string =>
  JSON.stringify({ ...base, hook_event_name: event, ...fields });
const task = (event: string, fields: object = {}): string =>
  message(event, { task_id: "7", task_subject: "Rate-limit orders", ...fields });

clientAdapterSuite(agentTeams, [
  {
    event: "TaskCreated",
    body: task("TaskCreated", { task_description: "POST /orders", ...team }),
    means: {
      kind: "task",
      session,
      cwd: "/home/ada/shop",
      change: "created",
      task: {
        list: "Claude Code",
        key: "team-abad06cdcc42-7",
        title: "Rate-limit orders",
        details: "POST /orders",
        by: "tester",
      },
    },
  },
  {
    event: "TaskCompleted",
    body: task("TaskCompleted", { ...team, session_id: "other", agent_id: "a-1" }),
    means: {
      kind: "task",
      session: { key: "other/a-1", client: "claude-code", parent: "other" },
      change: "completed",
      task: {
        list: "Claude Code",
        key: "team-abad06cdcc42-7",
        title: "Rate-limit orders",
        details: undefined,
        by: "tester",
      },
    },
  },
  { event: "TeammateIdle", body: message("TeammateIdle", team), means: { kind: "sign-of-life", session } },
  { event: "Stop", body: message("Stop", { stop_hook_active: false }), means: undefined },
]);

const keyOf = (fields: object): string => {
  const read = agentTeams.readEvent("TaskCreated", Buffer.from(task("TaskCreated", fields)), {});
  return (read as Extract<HookEvent, { kind: "task" }>).task.key;
};

it("knows a task by its team, and by its session where no team is named", () => {
  expect(keyOf({ ...team, session_id: "other" })).toBe(keyOf(team));
  expect(keyOf({ session_id: "other" })).not.toBe(keyOf({}));
  expect(keyOf({ task_id: "a b/ü" })).toMatch(/^team-[0-9a-f]{12}-[0-9a-f]{12}$/);
});

describe("Claude Code with its teams listened to", () => {
  const batch = (tool_name: string): string =>
    message("PostToolBatch", { tool_calls: [{ tool_name, tool_input: { subject: "s" } }] });

  function listening() {
    const world = scratchHealth();
    const seen: TeamReport[] = [];
    const client = withAgentTeams(claudeCode, (...reports) => {
      seen.push(...reports);
      world.tracker.report(...reports);
    });
    /** As a hook is answered: what cannot be understood is reported for the hook too. */
    const hook = (event: string, body: string): HookEvent | undefined => {
      try {
        return client.readEvent(event, Buffer.from(body), {});
      } catch (error) {
        const { code, message: text } = error as { code: string; message: string };
        const component = `hook/claude-code/${event}`;
        world.tracker.report({ kind: "hook", component, outcome: "degraded", error: `${code}: ${text}` });
        return undefined;
      }
    };
    const incidents = async () => {
      await world.tracker.flush();
      return world.tracker.incidents();
    };
    return { seen, hook, incidents, [Symbol.dispose]: () => world[Symbol.dispose]() };
  }

  it("takes tasks for tasks, and everything else as without them [ADPT-3]", () => {
    using world = listening();
    expect(world.hook("TaskCreated", task("TaskCreated"))).toMatchObject({ kind: "task", change: "created" });
    expect(world.hook("Stop", message("Stop"))).toMatchObject({ kind: "turn-end" });
    expect(world.hook("PostToolBatch", batch("TaskCreate"))).toMatchObject({ kind: "used", read: [], wrote: [] });
    expect(world.seen).toEqual([{ kind: "adapter", component: "agent-teams", outcome: "ok" }]);
    expect(claudeCode.readEvent("TaskCreated", Buffer.from(task("TaskCreated")), {})).toBeUndefined();
  });

  it("makes one incident of a changed format, whatever was changed, and continues with all else [ADPT-5]", async () => {
    using world = listening();
    const changed = fc.constantFrom(
      ...["TaskCreated", "TaskCompleted"].flatMap((event) =>
        [{ task_id: 7 }, { task_subject: null }, { task_subject: " " }, { team_name: {} }, { cwd: 0 }].map(
          (fields) => [event, task(event, fields)] as const,
        ),
      ),
    );
    expect(world.hook("TaskCreated", task("TaskCreated", { task_id: 7 }))).toBeUndefined();
    expect(await world.incidents()).toHaveLength(1);
    await fc.assert(
      fc.asyncProperty(changed, async ([event, body]) => {
        expect(world.hook(event, body)).toBeUndefined();
        expect(world.hook("Stop", message("Stop"))).toMatchObject({ kind: "turn-end" });
        expect(await world.incidents()).toMatchObject([{ lastError: expect.stringContaining("sent so far") }]);
      }),
      { numRuns: 40 },
    );
  });

  it("makes one incident of teams that say nothing of the tasks they make, for all sessions [ADPT-5]", async () => {
    using world = listening();
    for (const session_id of ["s-1", "s-1", "s-2", "s-3"])
      world.hook("PostToolBatch", JSON.stringify({ ...JSON.parse(batch("TaskCreate")), session_id }));
    world.hook("PostToolBatch", batch("Read"));
    expect(await world.incidents()).toMatchObject([
      { failures: 6, lastError: expect.stringContaining("no TaskCreated came") },
    ]);
  });
});

describe("a mirrored task", () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeAll(async () => {
    world = await openWorld({ off: [], changed: { "work.maxClaimsPerAgent": 1_000 } });
  });
  afterAll(() => world.close());

  type Step = { readonly what: "created" | "completed" | "claim" | "release"; readonly which: number };
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom<Step["what"]>("created", "completed", "claim", "release"),
      which: fc.nat(1),
    }),
    { maxLength: 12 },
  );

  it("is one work item, whatever comes twice, late or never; a claim here is not ended by it [ADPT-3, ADPT-5]", async () => {
    const [claude, heron] = [await world.join("claude"), await world.join("heron")];
    const dispatch = ((operation, input) => claude.call(operation, input as never)) as Dispatch;
    let round = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        round++;
        const keys = [0, 1].map((which) => `team-${round}-${which}`);
        const expected = new Map<string, { readonly status: string; readonly by?: string }>();
        for (const { what, which } of taken) {
          const key = keys[which]!;
          const now = expected.get(key);
          if (what === "created" || what === "completed") {
            const details = what === "created" ? "d" : undefined;
            const mirrored: ClientTask = { list: "Claude Code", key, title: `Task ${key}`, details };
            await mirrorTask({ change: what, task: mirrored }, {} as AgentCaller, dispatch);
            if (now === undefined) expected.set(key, { status: what === "created" ? "open" : "closed" });
            else if (what === "completed" && now.by === undefined) expected.set(key, { status: "closed" });
          } else if (what === "claim") {
            const won = await heron.call("work-item.claim", { id: key }).then(
              () => true,
              () => false,
            );
            expect(won).toBe(now !== undefined && now.status !== "closed");
            if (won) expected.set(key, { status: "in_progress", by: "heron" });
          } else if (now?.by !== undefined) {
            await heron.call("work-item.release", { id: key });
            expected.set(key, { status: "open" });
          }
        }
        const found = await itemsOf(heron.call, keys);
        expect(new Map(found.map((item) => [item.externalId, item.status]))).toEqual(
          new Map([...expected].map(([key, { status }]) => [key, status])),
        );
        expect(found).toHaveLength(expected.size);
        expect(found.every(({ labels }) => labels.includes("agent-teams"))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

async function itemsOf(
  call: Awaited<ReturnType<Awaited<ReturnType<typeof openWorld>>["join"]>>["call"],
  keys: readonly string[],
): Promise<readonly WorkItem[]> {
  const { items } = await call("work-item.list", { limit: 100 });
  return items.filter(({ externalId }) => externalId !== undefined && keys.includes(externalId));
}
