/** The demo's scenes. Each shows one promise with real calls and returns what it saw. */
import type { DemoAgent, DemoWorld } from "./demo-world.ts";
import { refusalOf } from "./refusal-of.ts";

const racedItems = 10;

type Collision = { readonly collision: string; readonly asked: string | undefined };

export async function playCollision({ out, heron, otter }: DemoWorld): Promise<Collision> {
  out.line();
  out.line(out.paint("bold", "1  Both want the same file"));
  const wanted = { paths: ["src/cart.ts"], reason: "add a discount" };
  const { reservation } = await heron.client.call("reservation.acquire", wanted);
  out.line(`  heron   reserves src/cart.ts       ${out.paint("green", "granted")} (token ${reservation.fencingToken})`);
  const refusal = await refusalOf(
    otter.client.call("reservation.acquire", { patterns: ["src/**"], reason: "rename things" }),
  );
  out.line(`  otter   reserves src/**            ${out.paint("red", "refused")}: ${refusal.message}`);
  await otter.client.call("reservation.ask", { id: reservation.id, reason: "only a rename" });
  const waiting = otter.client.call("reservation.acquire", { patterns: ["src/**"], waitMs: 60_000 });
  out.line("  otter   asks heron for it, and waits");
  const { items } = await heron.client.call("mail.inbox", {});
  out.line(`  heron   reads "${items.at(-1)?.subject}", and releases it`);
  await heron.client.call("reservation.release", { id: reservation.id });
  await waiting;
  out.line(`  otter   gets it after the wait     ${out.paint("green", "granted")}`);
  return { collision: refusal.code, asked: items.at(-1)?.content.kind };
}

export async function playFinding({ out, heron, otter }: DemoWorld): Promise<{ readonly told: readonly string[] }> {
  out.line();
  out.line(out.paint("bold", "3  A finding of one agent reaches the others"));
  const seen = { summary: "total() forgets the last item", severity: "blocking", category: "correctness" } as const;
  const { notified, finding } = await heron.client.call("finding.add", { ...seen, files: [{ path: "src/cart.ts" }] });
  out.line(`  heron   finds "${finding.summary}" in src/cart.ts`);
  const { items } = await otter.client.call("mail.inbox", { channel: "notices" });
  out.line(`  otter   holds that file, and is told: "${items.at(-1)?.subject}"`);
  const { workItem } = await otter.client.call("finding.promote", { id: finding.id });
  await otter.client.call("work-item.claim", { id: workItem.id });
  await otter.client.call("work-item.close", { id: workItem.id, reason: "fixed" });
  const { finding: settled } = await heron.client.call("finding.get", { id: finding.id });
  out.line(`  otter   makes it a work item, closes it; the finding is ${out.paint("green", settled.status)}`);
  return { told: notified.map(({ name }) => name) };
}

export async function playRace({
  out,
  user,
  heron,
  otter,
}: DemoWorld): Promise<{ readonly winners: readonly string[] }> {
  out.line();
  out.line(out.paint("bold", `2  Both claim the same work item, ${racedItems} times`));
  const winners: string[] = [];
  for (let round = 1; round <= racedItems; round++) {
    const { workItem } = await user.call("work-item.create", { title: `Work item ${round}`, type: "feature" });
    const racers = round % 2 === 0 ? [heron, otter] : [otter, heron];
    const claims = await Promise.allSettled(
      racers.map(({ client }) => client.call("work-item.claim", { id: workItem.id })),
    );
    const won = racers.filter((_, index) => claims[index]?.status === "fulfilled");
    if (won.length !== 1) throw new Error(`${won.length} agents won "${workItem.title}"`);
    winners.push(won[0]!.agent.name);
    await won[0]!.client.call("work-item.close", { id: workItem.id });
  }
  const wins = ({ agent }: DemoAgent): number => winners.filter((name) => name === agent.name).length;
  out.line(
    `  exactly one winner each time: heron ${wins(heron)}, otter ${wins(otter)}; the other was told who holds it`,
  );
  return { winners };
}

export async function showTimeline({ out, user }: DemoWorld): Promise<{ readonly events: number }> {
  const { items } = await user.call("event.list", { limit: 1000 });
  const counts = new Map<string, number>();
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1);
  out.line();
  out.line(out.paint("bold", `9  The log has all of it: ${items.length} events`));
  out.table(
    ["", ""],
    [...counts].map(([type, count]) => [`  ${type}`, String(count)]),
  );
  return { events: items.length };
}

export async function showSafekeeping({
  out,
  user,
}: DemoWorld): Promise<{ readonly acts: number; readonly backupIntact: boolean }> {
  const { file, bytes } = await user.call("store.backup", {});
  const chain = await user.call("audit.verify", {});
  const copy = await user.call("audit.verify", { file });
  const word = (intact: boolean): string => (intact ? out.paint("green", "intact") : out.paint("red", "broken"));
  out.line();
  out.line(out.paint("bold", "10  And it is kept"));
  out.line(
    `  backup   ${Math.round(bytes / 1024)} KB in one file, made while the daemon ran: its audit is ${word(copy.intact)}`,
  );
  out.line(`  audit    ${chain.entries} privileged acts, each chained to the one before: ${word(chain.intact)}`);
  return { acts: chain.entries, backupIntact: copy.intact };
}
