/** Runs played by a scripted model, brought into the state a test needs; and a provider that never answers. */
import { join } from "node:path";
import type { InboxItem, RunId } from "../../src/contract/index.ts";
import { repositoryRoot } from "./run-sylk.ts";
import type { ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

export const sampleScenario = join(repositoryRoot, "samples", "scenarios", "discounts.yaml");

type World = { readonly daemon: ScratchDaemon };

export async function startRun({ daemon }: World, other: { readonly budget?: number } = {}): Promise<RunId> {
  const terms = { request: "Add a discount", project: { path: daemon.repository }, rehearse: sampleScenario };
  return (await daemon.user.call("run.start", { ...terms, ...other })).run.id;
}

export async function cancelRun(id: RunId, { daemon }: World): Promise<RunId> {
  await daemon.user.call("run.cancel", { id });
  return id;
}

export async function waitingApproval(run: RunId, { daemon }: World): Promise<InboxItem & { readonly run: RunId }> {
  return until("the run waits for a decision", async () => {
    const { items } = await daemon.user.call("approval.list", { run });
    return items.find(({ status }) => status === "waiting") as (InboxItem & { readonly run: RunId }) | undefined;
  });
}

/** At an address where nobody listens. */
export function provider(name: string) {
  return { name, kind: "openai-compatible", model: "none", baseUrl: "http://127.0.0.1:65000/v1", key: "k" } as const;
}
