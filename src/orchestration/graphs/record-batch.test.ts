import { expect, it } from "vitest";
import type { DagId, ProjectId, SessionId } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { JournalEntry } from "../dag/index.ts";
import { type GraphTx, recordBatch } from "./record-batch.ts";
import type { GraphRecord } from "./store.ts";

const about = {
  id: "dag_00000000000000000000000a" as DagId,
  project: "prj_00000000000000000000000a" as ProjectId,
  session: "ses_00000000000000000000000a" as SessionId,
} as GraphRecord;

it("tells a thousand changes in bites, each once and in order, and keeps the last of every node [DAG-7]", async () => {
  const names = Array.from({ length: 501 }, (_, index) => `n${index}`);
  const facts = { at: 1, attempt: 1, retries: 0 } as const;
  const entries: JournalEntry[] = [
    ...names.map((node) => ({ ...facts, node, from: "queued", to: "running" }) as const),
    ...names.map((node) => ({ ...facts, node, from: "running", to: "succeeded" }) as const),
  ].map((transition) => ({ kind: "transition", transition }));
  const told: string[][] = [];
  const saved = new Map<string, string>();
  const tx = {
    dags: {
      saveNode: async (_: DagId, { node, state }: { node: string; state: string }) => void saved.set(node, state),
    },
    events: {
      append: async (_: ProjectId, { data }: { data: { transitions: { node: string; to: string }[] } }) =>
        void told.push(data.transitions.map(({ node, to }) => `${node} ${to}`)),
    },
  } as unknown as GraphTx;
  await recordBatch(about, { entries, outputs: new Map(), now: 1, ids: randomIds(systemClock()) }, tx);
  expect(told.map((bite) => bite.length)).toEqual([500, 500, 2]);
  expect(told.flat()).toEqual([...names.map((node) => `${node} running`), ...names.map((node) => `${node} succeeded`)]);
  expect([saved.size, new Set(saved.values())]).toEqual([501, new Set(["succeeded"])]);
});
