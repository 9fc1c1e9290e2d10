/**
 * The demo's main scene: one request from plan to verified change, with a scripted model. While it runs, an agent from
 * elsewhere wants a file that an Engineer holds, and the daemon is killed in the middle of a node.
 */
import { DomainError } from "../../../contract/errors.ts";
import type { LogEvent, Run } from "../../../contract/index.ts";
import { eventSource } from "../../event-source/index.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { sampleRequest, sampleScenario } from "../samples.ts";
import type { DemoAgent, DemoWorld } from "./demo-world.ts";
import { refusalOf } from "./refusal-of.ts";

export type RunFacts = {
  readonly run: string;
  readonly status: string;
  /** Whether the run's commands were sandboxed; false where a trial failed on this machine, which is said. */
  readonly sandboxed: boolean;
  readonly parallel: number;
  readonly waited: boolean;
  readonly attempts: number;
  readonly rejected: number;
};

const contested = "src/discount.ts";

export async function playRun(world: DemoWorld): Promise<RunFacts> {
  const { out, user, repository, env } = world;
  out.line();
  out.line(out.paint("bold", `5  One request, many engineers: "${sampleRequest}"`));
  out.line(
    out.paint(
      "dim",
      "   a scripted model plays a scenario over real HTTP; everything else is real: plan, files, linter, tests, git",
    ),
  );
  out.line(out.paint("dim", `   ${sandboxLine(world)}`));
  const { run } = await user.call("run.start", {
    request: sampleRequest,
    project: { path: repository },
    approve: true,
    rehearse: sampleScenario(),
    environment: { PATH: env.PATH ?? "", HOME: world.root },
  });
  const seen = { running: new Set<string>(), parallel: 0, waited: false, killed: false };
  for await (const event of eventsOf(world)) {
    if (event.data.run !== run.id && event.type !== "reservation.acquired") continue;
    narrate(event, world);
    countParallel(event, seen);
    if (isContested(event, run) && !seen.waited) seen.waited = await visitorWaits(world, run, event.sequence);
    if (isThirdNode(event) && !seen.killed) {
      seen.killed = true;
      killDaemon(world);
    }
    if (
      event.type === "run.status-changed" &&
      ["verified", "unverified", "failed", "cancelled"].includes(String(event.data.to))
    )
      break;
  }
  const ended = (await user.call("run.get", { id: run.id })).run;
  if (ended.status !== "verified") throw new Error(`the run ended ${ended.status}: ${ended.reason ?? "no reason"}`);
  await showResult(ended, world);
  return {
    run: ended.id,
    status: ended.status,
    sandboxed: world.sandbox.enforced,
    parallel: seen.parallel,
    waited: seen.waited,
    attempts: Math.max(...ended.nodes.map(({ attempt }) => attempt)),
    rejected: ended.checks.filter(({ outcome }) => outcome === "fail").length,
  };
}

function sandboxLine({ sandbox }: DemoWorld): string {
  return sandbox.enforced
    ? `its commands run in a sandbox (${sandbox.by}), without network`
    : `no sandbox works here (${sandbox.reason}): its commands, all of them the demo's own, run without one`;
}

/** All events of the home from now on, across the daemon's death. */
async function* eventsOf({ paths, env, headers, signal }: DemoWorld): AsyncGenerator<LogEvent> {
  for (let cursor = 0; !signal.aborted;) {
    try {
      for await (const event of eventSource({
        socketPath: paths.socket,
        headers: headers(),
        after: cursor,
        type: "**",
        signal,
      })) {
        cursor = event.sequence;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof DomainError && error.family === "unavailable")) throw error;
    }
    await ensureDaemon(paths, env);
  }
}

function narrate({ type, data }: LogEvent, { out }: DemoWorld): void {
  const title = String(data.title);
  if (type === "run.planned" && data.round === 0)
    out.line(`   plan      ${(data.nodes as { title: string }[]).map((node) => node.title).join(" · ")}`);
  if (type === "run.node-changed" && data.to === "running")
    out.line(
      `   ${out.paint("cyan", "start")}     ${title}${Number(data.attempt) > 1 ? `  (attempt ${String(data.attempt)})` : ""}`,
    );
  if (type === "run.node-changed" && data.to === "succeeded")
    out.line(`   ${out.paint("green", "done")}      ${title}`);
  if (type === "run.checked") {
    const { kind, outcome, summary } = data.check as { kind: string; outcome: string; summary: string };
    out.line(`   ${out.paint(outcome === "pass" ? "green" : "red", outcome.padEnd(8))}  ${kind}: ${summary}`);
    for (const finding of data.findings as { summary: string; files: { path: string; line?: number }[] }[])
      out.line(`             ${finding.files[0]?.path}:${finding.files[0]?.line ?? ""} ${finding.summary}`);
  }
}

function countParallel({ type, data }: LogEvent, seen: { readonly running: Set<string>; parallel: number }): void {
  if (type !== "run.node-changed") return;
  if (data.to === "running") seen.running.add(String(data.node));
  else seen.running.delete(String(data.node));
  seen.parallel = Math.max(seen.parallel, seen.running.size);
}

function isContested({ type, data }: LogEvent, { workspace }: Run): boolean {
  const { paths, tree } = (data.reservation ?? {}) as { paths?: readonly string[]; tree?: string };
  return type === "reservation.acquired" && tree === workspace?.tree && paths?.includes(contested) === true;
}

/** Only the third node depends on others: it runs alone, and its death is easy to see. */
function isThirdNode({ type, data }: LogEvent): boolean {
  return type === "run.node-changed" && data.to === "running" && String(data.title).startsWith("The cart");
}

async function visitorWaits(world: DemoWorld, { workspace }: Run, since: number): Promise<boolean> {
  const { out } = world;
  const magpie = await world.join("magpie", "gemini", workspace!.tree);
  const refusal = await refusalOf(
    magpie.client.call("reservation.acquire", { paths: [contested], reason: "wants it too" }),
  );
  out.line(`   ${out.paint("yellow", "waits")}     magpie, an agent from elsewhere: ${refusal.message.split(";")[0]}`);
  await untilGranted(magpie, since, world);
  out.line(`   ${out.paint("green", "granted")}   magpie has ${contested} now, and gives it back`);
  return true;
}

/** Woken by what happens, not by a clock: each release is a reason to try again. */
async function untilGranted(
  { client }: DemoAgent,
  since: number,
  { paths, headers, signal }: DemoWorld,
): Promise<void> {
  for await (const _ of eventSource({
    socketPath: paths.socket,
    headers: headers(),
    after: since - 1,
    type: "reservation.*",
    signal,
  })) {
    try {
      const { reservation } = await client.call("reservation.acquire", { paths: [contested] });
      await client.call("reservation.release", { id: reservation.id });
      return;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "reservation.conflict")) throw error;
    }
  }
}

function killDaemon(world: DemoWorld): void {
  const pid = world.daemonPid();
  process.kill(pid, "SIGKILL");
  world.out.line(
    `   ${world.out.paint("red", "kill -9")}   the daemon (pid ${pid}), in the middle of this node; its worker goes with it`,
  );
}

async function showResult(run: Run, { out, user, otter }: DemoWorld): Promise<void> {
  const { files } = await user.call("run.diff", { id: run.id });
  out.line(
    `   ${out.paint("green", run.status)}  ${files.length} files on ${run.workspace?.branch}; evidence: ${run.checks.at(-1)?.summary}, exit code ${run.checks.at(-1)?.exitCode}, tree ${run.checks.at(-1)?.contentHash?.slice(0, 10)}`,
  );
  const refusal = await refusalOf(user.call("run.merge", { id: run.id }));
  out.line(
    `   ${out.paint("yellow", "waits")}     the merge: ${refusal.message.split(": ")[1]?.split(" (")[0] ?? refusal.message}`,
  );
  const merging = user.call("run.merge", { id: run.id, waitMs: 60_000 });
  const { items } = await otter.client.call("reservation.list", { limit: 100 });
  const held = items.filter(({ holder }) => holder.id === otter.agent.id);
  for (const { id } of held) await otter.client.call("reservation.release", { id });
  const { commit } = await merging;
  for (const { paths, patterns } of held) await otter.client.call("reservation.acquire", { paths, patterns });
  out.line(
    `   ${out.paint("green", "merged")}    as ${commit.slice(0, 10)} into the user's tree, when otter gave its files back`,
  );
}
