import { expect, it } from "vitest";
import { type Dispatch, DomainError, type LogEvent, type Project, type ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createDrawLine } from "./daemon-line.ts";
import { createRecentChanges } from "./recent-changes.ts";
import type { StatuslineMode } from "./update-policy.ts";

const project: Project = { id: "prj_shop" as ProjectId, name: "shop", path: "/shop" };

function opened({ mode = "auto" }: { readonly mode?: StatuslineMode } = {}) {
  const clock = manualClock();
  const changes = createRecentChanges(clock);
  const asked: string[] = [];
  const contexts: unknown[] = [];
  let failing = false;
  const dispatch = (async (name: string) => {
    asked.push(name);
    if (failing) throw new Error("store is gone");
    if (name === "agent.list") return { items: [{ id: "agt_1", name: "heron", files: ["a.ts"], client: "codex" }] };
    if (name === "run.list") return { items: [] };
    return { incidents: [], components: [], enforced: true };
  }) as Dispatch;
  const draw = createDrawLine({
    dispatch,
    authenticate: async ({ session }) => {
      if (session?.key === "ended") throw new DomainError("agent.ended", "It has ended");
      return { kind: "user", project };
    },
    clock,
    changes,
    statuslineMode: mode,
    statuslineClient: "claude-code",
    noteContext: (...given) => void contexts.push(given),
    unguardedIn: () => 0,
    indexStates: { lastOf: () => undefined, stateOf: () => ({ mode: "absent" }) },
  });
  const event: LogEvent = {
    sequence: 1,
    id: "evt_1" as LogEvent["id"],
    type: "agent.registered",
    version: 1,
    project: project.id,
    subject: "agt_crow",
    at: 1,
    data: { agent: { name: "crow" } },
  };
  return {
    clock,
    asked,
    contexts,
    line: (said: object = { session_id: "s" }) => draw(JSON.stringify(said), { token: "t", cwd: undefined }),
    happens: (times: number) => Array.from({ length: times }, () => changes.note(event)),
    fail: (now: boolean) => void (failing = now),
  };
}

it("keeps a session's line for two seconds, and asks no daemon meanwhile [STAT-2]", async () => {
  const { clock, line, asked, happens } = opened();
  expect(await line()).toBe("sylk heron: a.ts");
  happens(11);
  clock.advance(1_999);
  expect(await line()).toBe("sylk heron: a.ts");
  expect(asked).toHaveLength(3);
  clock.advance(1);
  expect(await line()).toBe("sylk 1 agent, 1 file");
  expect(await line({ session_id: "other" })).toBe("sylk 1 agent, 1 file");
});

it("turns back to names only when it has become calm [STAT-2]", async () => {
  const { clock, line, happens } = opened();
  happens(5);
  clock.advance(10_000);
  happens(6);
  expect(await line()).toContain("1 agent");
  clock.advance(50_000);
  expect(await line()).toContain("1 agent");
  happens(1);
  clock.advance(10_000);
  expect(await line()).toContain("heron");
});

it("shows changes in live mode and never in digest [STAT-2, STAT-5]", async () => {
  const live = opened({ mode: "live" });
  live.happens(20);
  expect(await live.line()).toBe("sylk heron: a.ts | crow joined | crow joined | crow joined");
  const digest = opened({ mode: "digest" });
  digest.happens(1);
  expect(await digest.line()).toBe("sylk 1 agent, 1 file");
});

it("passes on what the client says of its context, at every turn and only whole numbers of it [COST-2]", async () => {
  const { line, contexts } = opened();
  const usage = { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100 };
  await line({ session_id: "s", context_window: { current_usage: usage, context_window_size: 200_000 } });
  await line({ session_id: "s", context_window: { current_usage: { ...usage, input_tokens: 6 } } });
  await line({ session_id: "s", context_window: { current_usage: { input_tokens: 6 } } });
  await line({ session_id: "s", context_window: { current_usage: { ...usage, input_tokens: 1.5 } } });
  expect(contexts).toEqual([
    ["s", { used: 125, size: 200_000 }],
    ["s", { used: 126, size: undefined }],
  ]);
});

it("has a line for a session that has ended, too [STAT-1]", async () => {
  expect(await opened().line({ session_id: "ended" })).toBe("sylk heron: a.ts");
});

it("tries again at once after it could not ask [STAT-1]", async () => {
  const { line, fail } = opened();
  fail(true);
  await expect(line()).rejects.toThrow("store is gone");
  fail(false);
  expect(await line()).toBe("sylk heron: a.ts");
});
