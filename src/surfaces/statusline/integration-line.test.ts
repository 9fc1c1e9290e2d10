import { expect, it } from "vitest";
import type { Authenticate, Dispatch } from "../../contract/index.ts";
import { integrationLine } from "./integration-line.ts";

const authenticate: Authenticate = async () => ({ kind: "user", project: undefined });
const answering = (answers: Record<string, unknown>): Dispatch =>
  (async (name: string) => answers[name] ?? Promise.reject(new Error(name))) as Dispatch;
const lineFor = (answers: Record<string, unknown>) =>
  integrationLine({ token: "t" }, { authenticate, dispatch: answering(answers) });
const run = (budget: number | undefined, used: number) => ({ budget, cost: { inputTokens: used, outputTokens: 0 } });
const calm = {
  "health.greeting": { enforced: true },
  "work-item.ready": { items: [1, 2, 3] },
  "run.list": { items: [] },
};

it("says how each part takes part, in a form that programs read", async () => {
  expect(await lineFor(calm)).toBe("[sylk] coordination=active | work=3 ready | librarian=absent | budget=none");
  const busy = {
    "health.greeting": { enforced: false },
    "work-item.ready": { items: Array.from({ length: 100 }) },
    "run.list": { items: [run(1_000, 100), run(undefined, 9_000), run(1_000, 624)] },
  };
  expect(await lineFor(busy)).toBe("[sylk] coordination=refusing | work=100+ ready | librarian=absent | budget=62%");
});

it("says unknown where it could not ask, and never fails", async () => {
  const unknown = "[sylk] coordination=unknown | work=unknown | librarian=absent | budget=unknown";
  expect(await lineFor({ ...calm, "run.list": undefined })).toBe(unknown);
  expect(await lineFor({})).toBe(unknown);
});
