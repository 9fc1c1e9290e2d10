import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createAttempts } from "./attempts.ts";
import type { Change } from "./decision.ts";
import type { NodeInput } from "./dispatch-context.ts";
import { nodeOf, obedientDispatcher, settle } from "./testkit.ts";

const input: NodeInput = {
  parents: new Map(),
  parentContexts: new Map(),
  artifact: () => undefined,
  answer: undefined,
  answers: [],
  session: {},
};

function attemptsOf() {
  const clock = manualClock();
  const { dispatch, calls } = obedientDispatcher();
  const reports: Change[] = [];
  const attempts = createAttempts({ dispatch, clock, abortGraceMs: 10, report: (change) => reports.push(change) });
  attempts.start({ node: nodeOf("a"), attempt: 1, timeoutMs: 100, input });
  return { clock, call: calls[0], reports, attempts };
}

it("reports one end only: what an abandoned attempt says later is not heard", async () => {
  const { clock, call, reports, attempts } = attemptsOf();
  expect(attempts.abort("a", "test")).toBe(true);
  clock.advance(10);
  call?.succeed("late");
  await settle();
  expect(reports).toEqual([{ type: "attempt-abandoned", node: "a", attempt: 1 }]);
  expect(attempts.abort("a", "test")).toBe(false);
});

it("does not start the grace again when it is told to stop again", () => {
  const { clock, reports, attempts } = attemptsOf();
  attempts.abort("a", "first");
  clock.advance(6);
  attempts.abort("a", "second");
  clock.advance(4);
  expect(reports.map(({ type }) => type)).toEqual(["attempt-abandoned"]);
});

it("says why in the reason of its signal, as an AbortError", () => {
  const { call, attempts } = attemptsOf();
  attempts.abort("a", "timeout");
  expect(call?.signal.reason).toMatchObject({ name: "AbortError", message: "attempt 1 of a was stopped: timeout" });
});

it("is idle once all have settled", async () => {
  const { call, attempts } = attemptsOf();
  let idle = false;
  const stopped = attempts.abortAll("test").then(() => (idle = true));
  await settle();
  expect(idle).toBe(false);
  call?.fail(new Error("stopped"));
  expect(await stopped).toBe(true);
});
