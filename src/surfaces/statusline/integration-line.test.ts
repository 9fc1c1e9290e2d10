import { expect, it } from "vitest";
import type { AgentCaller, Authenticate, CodeIndexState, Dispatch } from "../../contract/index.ts";
import { integrationLine } from "./integration-line.ts";

const heron = { kind: "agent", tree: "/srv/shop", project: { path: "/srv/shop/.git" } } as AgentCaller;
const authenticate: Authenticate = async () => heron;
const answering = (answers: Record<string, unknown>): Dispatch =>
  (async (name: string) => answers[name] ?? Promise.reject(new Error(name))) as Dispatch;
const lineFor = (answers: Record<string, unknown>, stateOf: () => CodeIndexState = () => ({ mode: "absent" })) =>
  integrationLine({ token: "t" }, { authenticate, dispatch: answering(answers), indexStates: { stateOf } });
const run = (budget: number | undefined, used: number) => ({ budget, cost: { inputTokens: used, outputTokens: 0 } });
const calm = {
  "health.greeting": { enforced: true },
  "work-item.ready": { items: [1, 2, 3] },
  "run.list": { items: [] },
  "companion.list": { items: [{ state: "active" }] },
};

it("says how each part takes part, in a form that programs read", async () => {
  expect(await lineFor(calm)).toBe(
    "[sylk] coordination=active | work=3 ready | librarian=absent | budget=none | 1 companion available",
  );
  const busy = {
    "health.greeting": { enforced: false },
    "work-item.ready": { items: Array.from({ length: 100 }) },
    "run.list": { items: [run(1_000, 100), run(undefined, 9_000), run(1_000, 624)] },
    "companion.list": {
      items: [
        { state: "active" },
        { state: "active", tree: "/srv/shop" },
        { state: "active", tree: "/srv/nest" },
        { state: "missing" },
      ],
    },
  };
  expect(await lineFor(busy, () => ({ mode: "incomplete", percent: 40 }))).toBe(
    "[sylk] coordination=refusing | work=100+ ready | librarian=incomplete 40% | budget=62% | 2 companions available",
  );
});

it("says unknown where it could not ask, and never fails", async () => {
  const failed = (): never => {
    throw new Error("locked");
  };
  expect(await lineFor(calm, failed)).toContain("coordination=active | work=3 ready | librarian=unknown");
  const unknown =
    "[sylk] coordination=unknown | work=unknown | librarian=unknown | budget=unknown | unknown companions available";
  expect(await lineFor({ ...calm, "run.list": undefined })).toBe(unknown);
  expect(await lineFor({})).toBe(unknown);
});
