/**
 * A heartbeat of an agent that came to hold a file after a blocking finding in it was published: it is told now, once.
 * Asked at every heartbeat, so it reads first and writes only when there is something to tell.
 */
import type { Agent } from "../../contract/index.ts";
import { viewFinding } from "./finding-view.ts";
import { covers, notifyOf } from "./notify-concerned.ts";
import type { FindingPorts, FindingRepositories } from "./ports.ts";
import type { FindingRecord } from "./store.ts";

const mostLookedAt = 50;

export async function remindHolder({ id, name, client, project }: Agent, ports: FindingPorts): Promise<void> {
  const { store } = ports;
  if ((await untold(id, project.id, store.reader, ports)).length === 0) return;
  await store.transact(project.id, async (tx) => {
    for (const record of await untold(id, project.id, tx, ports)) {
      const finding = viewFinding(record);
      await notifyOf(finding, { agent: finding.agent, project }, [{ id, name, client }], tx, ports);
    }
  });
}

async function untold(
  agent: Agent["id"],
  project: Agent["project"]["id"],
  { findings, mail, reservations }: Pick<FindingRepositories, "findings" | "mail" | "reservations">,
  { leases }: FindingPorts,
): Promise<readonly FindingRecord[]> {
  const blocking = await findings.blocking(project, mostLookedAt);
  if (blocking.length === 0) return [];
  const held = (await reservations.liveOf(project, agent)).filter((record) => leases.isLive(record));
  const due: FindingRecord[] = [];
  for (const record of blocking) {
    const isOwn = record.reports.some((report) => report.agent.id === agent);
    if (isOwn || !held.some((one) => covers(one, viewFinding(record).files))) continue;
    if (!(await mail.wasToldOf(agent, record.id))) due.push(record);
  }
  return due;
}
