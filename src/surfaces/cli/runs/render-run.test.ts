import { expect, it } from "vitest";
import type { Run } from "../../../contract/index.ts";
import { asksForApproval } from "./render-run.ts";

it("a plan is shown with its question until it is decided, also in the moment before the question is put", () => {
  const asks = (state: Run["nodes"][number]["state"]) =>
    asksForApproval({ nodes: [{ kind: "approval", state }] as unknown as Run["nodes"] });
  expect((["pending", "queued", "running", "blocked"] as const).map(asks)).toEqual([true, true, true, true]);
  expect((["succeeded", "failed", "skipped"] as const).map(asks)).toEqual([false, false, false]);
  expect(asksForApproval({ nodes: [] })).toBe(false);
});
