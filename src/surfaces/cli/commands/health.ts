/** How everything does, and what is unresolved, on the command line. */
import type { Component, Incident, OutputOf } from "../../../contract/index.ts";
import { notEnforcedText } from "../../../contract/situation.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago, counted } from "../wording.ts";

export const show = operationCommand("health.show", {
  details: "Exit code 0 even with unresolved incidents; scripts read --json.",
  print({ whyNot, components, agents, incidents, degraded, unguarded }, out) {
    if (whyNot !== undefined) out.line(out.paint("red", notEnforcedText(whyNot)));
    printIncidents(incidents, "No unresolved incidents", out);
    if (degraded > 0) out.line(out.paint("yellow", `${counted(degraded, "decision")} made without protection`));
    if (unguarded > 0) out.line(`${counted(unguarded, "command")} with unknown write targets allowed`);
    printUnmeasured(agents, out);
    printComponents(components, out);
  },
});

export const report = operationCommand("health.report", {
  example: 'sylk health report hook pre-edit failed --ms 12 --error "disk is full"',
  fields: ["kind", "component", "outcome"],
  arguments: [
    { name: "kind", describe: "hook, adapter, tool, agent or provider", required: true },
    { name: "component", describe: "Name of the component", required: true },
    { name: "outcome", describe: "ok, failed, timed-out, degraded, edit-without-read or unguarded", required: true },
  ],
  without: ["reports"],
  flags: {
    agent: { describe: "agent it worked for; by default the caller", value: "agent" },
    ms: { describe: "how long it took", value: "number" },
    error: { describe: "what went wrong", value: "text" },
    cause: { describe: "likely cause, if known", value: "cause" },
  },
  adjust(input, { flags: { agent, ms, error, cause } }) {
    const given = { agent, ms: typeof ms === "string" && /^\d{1,12}$/.test(ms) ? Number(ms) : ms, error, cause };
    return {
      reports: [{ ...input, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }],
    };
  },
  print: ({ counted, incidents }, out) =>
    out.line(`counted ${counted}; ${incidents === 0 ? "nothing is unresolved" : `unresolved incidents: ${incidents}`}`),
});

export const greeting = operationCommand("health.greeting", {
  print: ({ line }, out) => out.line(line),
});

export const list = operationCommand("incident.list", {
  example: "sylk incident list --all",
  print: ({ items }, out) => printIncidents(items, "No incidents", out),
});

export const resolve = operationCommand("incident.resolve", {
  fields: ["id"],
  print: ({ incident }, out) => out.line(`${incident.id} is resolved: ${incident.summary}`),
});

function printIncidents(incidents: readonly Incident[], none: string, out: Output): void {
  if (incidents.length === 0) return out.line(none);
  out.table(
    ["incident", "since", "last failure", "state", "what"],
    incidents.map((incident) => [
      incident.id,
      ago(incident.openedAt),
      ago(incident.lastFailureAt),
      stateText(incident, out),
      incident.summary,
    ]),
  );
  for (const { id, components, lastError, fix, resolvedAt } of incidents) {
    if (resolvedAt !== undefined) continue;
    out.paragraph(`${id}: ${components.join(", ")}`);
    if (lastError !== undefined) out.paragraph(`  last error: ${lastError}`);
    out.paragraph(`  fix: ${fix}`);
  }
}

function stateText({ resolvedAt, resolution, escalatedAt }: Incident, out: Output): string {
  if (resolvedAt !== undefined) return `resolved (${resolution})`;
  return escalatedAt === undefined ? "open" : out.paint("red", "escalated");
}

function printUnmeasured(agents: OutputOf<"health.show">["agents"], out: Output): void {
  const stopped = agents.filter(({ measurement }) => measurement === "stopped");
  const never = agents.filter(({ measurement }) => measurement === "never");
  for (const { agent, lastReportAt } of stopped)
    out.line(
      out.paint("yellow", `reports stopped: ${agent.name} is active, but its last report was ${ago(lastReportAt!)}`),
    );
  if (never.length > 0) out.line(`not measured: ${never.map(({ agent }) => agent.name).join(", ")}`);
}

function printComponents(components: readonly Component[], out: Output): void {
  if (components.length === 0) return out.line("No reports yet");
  out.table(
    ["kind", "component", "agent", "calls", "failed", "timed out", "degraded", "unread edits", "p95", "last error"],
    components.map((one) => [
      one.kind,
      one.name,
      one.agent ?? "-",
      ...[one.calls, one.failures, one.timeouts, one.degraded, one.editsWithoutRead].map(String),
      one.latency === undefined ? "-" : `${one.latency.p95Ms} ms`,
      one.lastError === undefined ? "-" : `${ago(one.lastFailureAt!)}: ${one.lastError}`,
    ]),
    { spare: ["unread edits", "p95", "timed out", "degraded", "kind"] },
  );
}
