import { expect, it } from "vitest";
import type { Dispatch } from "./attempts.ts";
import { graph, startTestRun } from "./testkit.ts";

type Settle = (value?: unknown) => void;

/** A thenable that does not keep the rules of promises. */
const unruly = (act: (resolve: Settle, reject: Settle) => void) =>
  // oxlint-disable-next-line unicorn/no-thenable -- what is tested is a dispatcher that returns one
  ({ then: (resolve: Settle, reject: Settle) => act(resolve, reject) }) as unknown as Promise<unknown>;

const misbehaving: Readonly<Record<string, Dispatch>> = {
  silent: () => new Promise(() => {}),
  deaf: (_node, { signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => void setImmediate(resolve, 1))),
  throwing: () => {
    throw new TypeError("not a function");
  },
  twice: () =>
    unruly((resolve) => {
      resolve("first");
      resolve("second");
    }),
  contradicting: () =>
    unruly((resolve, reject) => {
      resolve("done");
      reject(new Error("or not"));
    }),
  void: (() => undefined) as unknown as Dispatch,
};

it("keeps the rest running beside dispatchers that hang, throw at once, answer twice or answer nothing", async () => {
  const bad = Object.keys(misbehaving);
  const shape = Object.fromEntries(bad.flatMap((id) => [[id, []] as const, [`after ${id}`, [id]] as const]));
  const dispatch: Dispatch = async (node, context) => (misbehaving[node.id] ?? (async () => "fine"))(node, context);
  const dag = graph({ ...shape, good: [], better: ["good"] }, { maxConcurrency: 3, defaultTimeoutMs: 10 });
  const run = await startTestRun(dag, { dispatch, abortGraceMs: 5 });
  await run.pass(20);
  const { outcome, nodes } = await run.finished;
  expect([outcome, run.clock.pendingTimers()]).toEqual(["failed", 0]);
  expect(
    Object.fromEntries([...nodes].map(([id, { state, error, result }]) => [id, error?.class ?? result ?? state])),
  ).toEqual({
    silent: "timeout",
    "after silent": "skipped",
    deaf: "timeout",
    "after deaf": "skipped",
    throwing: "permanent",
    "after throwing": "skipped",
    twice: "first",
    "after twice": "fine",
    contradicting: "done",
    "after contradicting": "fine",
    void: "succeeded",
    "after void": "fine",
    good: "fine",
    better: "fine",
  });
  expect(run.log.filter(({ from }) => from === "running").length).toBe(bad.length + 5);
});
