import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { type ChangedFiles, createTreeChanges } from "./tree-changes.ts";

const heron = "agt_01jd8q3m7k4x9t2v5b8n1c" as AgentId;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function world() {
  const clock = manualClock();
  const answers: ((files: ChangedFiles) => void)[] = [];
  const changes = createTreeChanges({ clock, read: () => new Promise((resolve) => void answers.push(resolve)) });
  return { clock, answers, changes };
}

it("gives all who ask at once the same answer from one look", async () => {
  const { answers, changes } = world();
  const asked = [changes.known(["/shop"]), changes.known(["/shop"])];
  await turn();
  expect(answers).toHaveLength(1);
  answers[0]!(new Map([["a.ts", heron]]));
  for (const known of await Promise.all(asked)) expect([...known.get("/shop")!]).toEqual([["a.ts", heron]]);
});

it("leaves a tree out after 250 ms, delays no later call, and knows the tree once git has answered", async () => {
  const { clock, answers, changes } = world();
  const first = changes.known(["/shop"]);
  await turn();
  clock.advance(249);
  const second = changes.known(["/shop"]);
  clock.advance(1);
  expect([(await first).size, (await second).size]).toEqual([0, 0]);
  expect((await changes.known(["/shop"])).size).toBe(0); // at once: the clock stands still
  answers[0]!(new Map());
  await turn();
  expect((await changes.known(["/shop"])).get("/shop")).toEqual(new Map());
  expect(answers).toHaveLength(1);
});

it("takes what git did not tell within 10 s as not known, and gives the next tree its turn", async () => {
  const { clock, answers, changes } = world();
  const looked = [changes.look("/hangs"), changes.look("/shop")];
  await turn();
  clock.advance(2_000);
  expect(await Promise.all(looked)).toEqual([undefined, undefined]);
  expect(answers).toHaveLength(1);
  clock.advance(8_000);
  await turn();
  expect(answers).toHaveLength(2);
});
