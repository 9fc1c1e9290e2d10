import { expect, it } from "vitest";
import { Interrupted } from "../dag/index.ts";
import { reachWorker, WorkerUnavailable } from "./reach-worker.ts";
import { playedRuns } from "./testkit.ts";

it("lets a run rest, with the reason, while a person has to put something right; it continues when resumed [RUN-8, RUN-11]", async () => {
  let hasKey = false;
  using at = playedRuns({
    engineer: ({ dag }) =>
      reachWorker(
        dag as never,
        async () => {
          if (!hasKey) throw new WorkerUnavailable("The key of claude should be in CLAUDE_KEY");
          return { summary: "done" };
        },
        at,
      ),
  });
  const { id } = await at.begin();
  await at.reaches(id, "paused");
  await at.host.settled(id);
  expect(await at.statusOf(id)).toEqual(["paused", "The key of claude should be in CLAUDE_KEY"]);
  const work = (await at.nodesOf(id)).filter(({ spec }) => spec.kind === "engineer").map(({ record }) => record);
  expect(
    work.map(({ state, interruptions }) => [state, interruptions]),
    "it is no fault of the work",
  ).toEqual([
    ["queued", undefined],
    ["queued", undefined],
  ]);
  hasKey = true;
  await at.call("run.resume", { id });
  await at.host.over(id);
  expect((await at.statusOf(id))[0]).toBe("verified");
});

it("passes on an answer and any other error as they are", async () => {
  using at = playedRuns();
  const run = await at.add();
  expect(await reachWorker(run.id, async () => 7, at)).toBe(7);
  const died = new Interrupted("its worker ended");
  await expect(reachWorker(run.id, () => Promise.reject(died), at)).rejects.toBe(died);
  expect((await at.statusOf(run.id))[0]).toBe("running");
});
