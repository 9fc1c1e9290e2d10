/**
 * A shop in which a lot has happened: something on every page of the dashboard, long and hostile names among it.
 *
 *   const shop = await fillShop(daemon);
 *   shop.addresses.messages -> "/messages/msg_…", a message that is there
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { dashboardPages } from "../../src/contract/index.ts";
import { startRun, waitingApproval } from "../flows/rehearsed-runs.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import { writeTree } from "../flows/scratch-home.ts";
import { until } from "../flows/until.ts";

type Page = (typeof dashboardPages)[number];
export type FullShop = {
  readonly project: string;
  /** Of one thing on each page; a page without things of its own is named alone. */
  readonly addresses: Readonly<Record<Page, string>>;
  /** Further views of pages. */
  readonly views: readonly string[];
};

/** Does harm where it is not shown as text. */
const hostile = `<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>\u202egnp.exe`;
const long = "a-name-that-never-ends-".repeat(8);
const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

export async function fillShop(daemon: ScratchDaemon): Promise<FullShop> {
  const heron = await daemon.register("heron", { client: "codex" });
  const otter = await daemon.register("otter-with-a-rather-long-name-for-a-bird");
  const { user } = daemon;
  const project = (await user.call("agent.get", { id: heron.agent.id })).agent.project.id;
  writeTree(daemon.repository, {
    "src/price.ts": `export function priceOf(cents: number) {\n  return cents; // ${hostile}\n}\n`,
    "src/uses.ts": numbers(80)
      .map((index) => `export const price${index} = priceOf(${index});\n`)
      .join(""),
    "handbook/leases.md": "# Leases\n\nAfter a restart every live lease gets one full time limit of 300 seconds.\n",
  });
  execFileSync("git", ["add", "--all"], { cwd: daemon.repository, env: daemon.env });
  const run = await startRun({ daemon }, { budget: 50_000 });
  await waitingApproval(run, { daemon });
  const { dag } = await user.call("dag.run", {
    name: `checks ${hostile}`,
    nodes: { lint: { run: ["true"] }, test: { run: ["true"], dependsOn: ["lint"] } },
    project: { path: daemon.repository },
  });
  const { workItem } = await heron.client.call("work-item.create", { title: `${hostile} ${long}`.slice(0, 200) });
  await heron.client.call("work-item.claim", { id: workItem.id });
  await askForFiles(daemon, heron);
  const message = await writeMessages(daemon, heron, otter);
  const finding = await addFindings(heron, otter);
  const { entry } = await heron.client.call("history.store", { title: `Whole cents ${hostile}`, category: "decision" });
  for (const index of numbers(60))
    await heron.client.call("history.store", { title: `Decision ${index} ${long}`, category: "decision" });
  await user.call("research.add", { location: join(daemon.repository, "handbook") });
  const failing = { kind: "tool", component: "flaky", outcome: "failed", error: hostile, ms: 20 } as const;
  await heron.client.call("health.report", { reports: [failing, failing, failing, failing] });
  writeCalls(daemon);
  const { items: created } = await user.call("event.list", { type: "work-item.created", limit: 1 });
  const [incident] = (await user.call("incident.list", {})).items;
  await until("the graph has ended", async () => {
    return (await user.call("dag.show", { id: dag.id })).dag.status !== "running";
  });
  return {
    project,
    addresses: {
      now: "/",
      inbox: "/inbox",
      runs: `/runs/${run}`,
      files: "/files/src%2Ffile-0.ts",
      work: `/work/${workItem.id}`,
      findings: `/findings/${finding}`,
      messages: `/messages/${message}`,
      knowledge: `/knowledge/${entry.id}?tab=history&project=${project}`,
      costs: `/costs?run=${run}`,
      health: `/health/${incident!.id}`,
      events: `/events/${created[0]!.sequence}`,
      agents: `/agents/${heron.agent.id}`,
    },
    views: [
      "/messages?write=new",
      "/findings?by=file",
      "/work?view=table",
      `/runs/${dag.id}`,
      `/events?run=${dag.id}&step=2`,
      `/knowledge?tab=history&project=${project}`,
      `/knowledge?tab=research&project=${project}`,
      `/knowledge?text=priceOf&project=${project}`,
      `/knowledge/priceOf?project=${project}`,
      "/health?incidents=all",
      "/costs?by=day&days=7",
    ],
  };
}

type Agent = Awaited<ReturnType<ScratchDaemon["register"]>>;

/** Twenty decisions that wait in the inbox: the agent asks the person for what the person holds. */
async function askForFiles(daemon: ScratchDaemon, { client }: Agent): Promise<void> {
  const paths = numbers(20).map((index) => `src/file-${index}.ts`);
  for (const path of paths) await daemon.user.call("reservation.acquire", { paths: [path], reason: long });
  for (const { id } of (await daemon.user.call("reservation.list", {})).items)
    await client.call("reservation.ask", { id, reason: `the build is red ${hostile}` });
}

async function writeMessages(daemon: ScratchDaemon, heron: Agent, otter: Agent): Promise<string> {
  const me = (await daemon.user.call("agent.list", { limit: 500 })).items.find(({ client }) => client === "human")!;
  for (const sender of numbers(7)) {
    const { client } = await daemon.register(`writer-${sender}`); // one may write 20 messages a minute to another
    for (const index of numbers(14))
      await client.call("mail.send", { to: [otter.agent.name], subject: `Message ${index} ${long}`, body: "text" });
  }
  const terms = { to: [me.name], ackRequired: true };
  const asked = await heron.client.call("mail.send", { ...terms, subject: `May I? ${hostile}`, body: hostile });
  await otter.client.call("mail.send", { ...terms, subject: long, body: long.repeat(20), importance: "urgent" });
  return asked.message.id;
}

async function addFindings(heron: Agent, otter: Agent): Promise<string> {
  const severities = ["blocking", "important", "informational"] as const;
  for (const index of numbers(59))
    await (index % 2 === 0 ? heron : otter).client.call("finding.add", {
      summary: `Finding ${index}: ${index % 5 === 0 ? long : "prices are rounded"}`,
      severity: severities[index % 3]!,
      category: "correctness",
      files: [{ path: `src/${index % 7 === 0 ? long : "price"}-${index}.ts`, line: 9 }],
    });
  const { finding } = await heron.client.call("finding.add", {
    summary: `the key is logged ${hostile}`,
    severity: "blocking",
    category: "security",
    evidence: hostile,
    files: [{ path: `src/${hostile.slice(0, 40)}.ts`, line: 3 }],
  });
  return finding.id;
}

/** Model calls of a client, as its transcripts tell of them. */
function writeCalls(daemon: ScratchDaemon): void {
  const file = join(daemon.env["HOME"]!, ".claude", "projects", "-shop", "s1.jsonl");
  const lines = numbers(30).map((index) => {
    const usage = { input_tokens: 1_000 * index, output_tokens: 234 };
    const message = { id: `m${index}`, model: index === 0 ? hostile : `model-${index % 9}`, usage };
    const at = new Date(Date.UTC(2026, 2, 1 + (index % 9))).toISOString();
    return JSON.stringify({
      type: "assistant",
      sessionId: "test-heron",
      requestId: `r${index}`,
      timestamp: at,
      message,
    });
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
}
