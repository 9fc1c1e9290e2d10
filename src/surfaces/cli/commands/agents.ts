/** Agents on the command line. */
import { DomainError } from "../../../contract/errors.ts";
import { agentsText, notEnforcedText } from "../../../contract/situation.ts";
import type { Agent, Handoff, Homecoming, LeftProcesses, OutputOf } from "../../../contract/index.ts";
import type { WrittenCommand } from "../command.ts";
import { coversAll } from "../all-projects.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago, counted, left } from "../wording.ts";

const answerWithinMs = 1_000;

const presence = operationCommand("agent.list", {
  print({ items, notEnforced, notInstalled = [] }, out, context) {
    if (notEnforced !== undefined) out.line(out.paint("red", notEnforcedText(notEnforced)));
    for (const sentence of notInstalled) out.line(out.paint("red", sentence));
    if (items.length === 0) return out.line(agentsText([]));
    const column = coversAll(context);
    out.table(
      [
        ...(column ? ["project"] : []),
        "agent",
        "client",
        "status",
        "guard",
        "shell",
        "last active",
        "works on",
        "files",
        "branch",
        "tree",
        "id",
      ],
      items.map((agent) => [
        ...(column ? [agent.project.name] : []),
        agent.name,
        agent.client,
        statusText(agent, out),
        agent.guard === "unguarded" ? out.paint("yellow", agent.guard) : agent.guard,
        shellText(agent.shell, out),
        ago(agent.lastSeenAt),
        firstOf(agent.workItems.map(({ title }) => title)),
        firstOf(agent.files),
        agent.branch ?? "-",
        agent.tree,
        agent.id,
      ]),
      { spare: ["id", "tree", "branch", "shell", "client", "guard"] },
    );
  },
});

/** Asked in hooks and prompts: it answers at once or says why not, and never takes silence for an empty room. */
export const who: WrittenCommand = {
  ...presence,
  async run(context) {
    try {
      return await presence.run({ ...context, connect: () => context.connect({ answerWithinMs }) });
    } catch (error) {
      throw error instanceof DomainError && error.family === "unavailable" ? unknown(error) : error;
    }
  },
};

function unknown(error: DomainError): DomainError {
  const { code, details, retryAfterMs } = error;
  const again = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new DomainError(code, agentsText({ unknown: error.message }), { details, ...again, cause: error });
}

function shellText(shell: OutputOf<"agent.list">["items"][number]["shell"], out: Output): string {
  if (shell === "person") return "-";
  return shell === "not-enforced" ? out.paint("yellow", "not enforced") : shell;
}

function firstOf(texts: readonly string[]): string {
  const [first = ""] = texts;
  return texts.length > 1 ? `${first} (+${texts.length - 1})` : first;
}

export const register = operationCommand("agent.register", {
  without: ["project"],
  adjust: (input, { cwd }) => ({ ...input, project: { path: cwd } }),
  print({ agent, token, homecoming }, out) {
    out.line(`${agent.name} is registered as ${agent.id} in ${agent.project.name}`);
    if (homecoming !== undefined) printHomecoming(homecoming, out);
    out.line(`To act as this agent: export SYLK_TOKEN=${token}`);
  },
});

export const show = operationCommand("agent.get", {
  fields: ["id"],
  print: (shown, out) => printAgent(shown, out),
});

export const heartbeat = operationCommand("agent.heartbeat", {
  fields: ["id"],
  print({ agent, pending }, out) {
    out.line(`${agent.name} is ${agent.status}`);
    const { mail, notices, blockingFindings } = pending;
    if (mail + notices > 0)
      out.line(
        `unread: ${counted(mail, "message")}, ${counted(notices, "notice")}, ${counted(blockingFindings, "blocking finding")}`,
      );
  },
});

export const end = operationCommand("agent.end", {
  fields: ["id"],
  print: ({ agent, releasedReservations, releasedClaims, endedChildren }, out) => {
    const children = endedChildren === 0 ? "" : ` with ${counted(endedChildren, "sub-agent")}`;
    out.line(
      `${agent.name} has ended${children}; released ${counted(releasedReservations, "reservation")} and ${counted(releasedClaims, "claim")}`,
    );
  },
});

export const handoff = operationCommand("agent.handoff", {
  fields: ["id"],
  print: ({ handoff: left }, out) => printHandoff(left, out),
});

function printHomecoming({ regained, lost }: Homecoming, out: Output): void {
  const { reservations, workItems } = regained;
  out.line(
    `Back from offline, with ${counted(reservations.length, "reservation")} and ${counted(workItems.length, "claim")} restored`,
  );
  for (const { kind, what, reason } of lost) out.line(`Lost the ${kind} ${what}: ${reason}`);
}

function printHandoff(left: Handoff, out: Output): void {
  const { agent, status, leftAt, reason, lastSeenAt, reservations, workItems, children, touched, step } = left;
  const gone = leftAt === undefined ? "" : ` since ${ago(leftAt)} (${reason})`;
  const list = (texts: readonly string[]): string => texts.join(", ") || "nothing";
  out.table(
    ["", ""],
    [
      ["agent", `${agent.name}  ${agent.id}`],
      ["status", `${status}${gone}, last active ${ago(lastSeenAt)}`],
      ["tree", left.branch === undefined ? left.tree : `${left.tree}  on ${left.branch}`],
      ["held", list(reservations.flatMap(({ paths, patterns }) => [...paths, ...patterns]))],
      ["claimed", list(workItems.map(({ id, title }) => `${title} (${id})`))],
      ["sub-agents", list(children.map(({ name }) => name))],
      ...(left.left === undefined ? [] : [["processes", list(left.left.processes.map(processText))]]),
      ["touched", list(touched)],
      ["step", step === undefined ? "none in the log" : `${step.type}  ${step.what}  ${ago(step.at)}`],
      ["findings", list(left.findings.map(({ what }) => what))],
    ],
  );
}

function processText({ pid, command, state }: LeftProcesses["processes"][number]): string {
  return `${command} (pid ${pid}, ${state})`;
}

const notKnown = "not known";

function printAgent({ agent, holds, events }: OutputOf<"agent.get">, out: Output): void {
  const { terminal, pid, host, uncommitted, workItem } = agent;
  const on = terminal === undefined ? "" : `, terminal ${terminal}`;
  const count =
    uncommitted && (uncommitted.count === 0 ? "none" : `${uncommitted.count}: ${uncommitted.paths.join(", ")}`);
  const listed = (texts: readonly string[]): string => texts.join("; ") || "nothing";
  out.table(
    ["", ""],
    [
      ["name", agent.name],
      ["id", agent.id],
      ["client", agent.client],
      ["status", `${statusText(agent, out)}, last active ${ago(agent.lastSeenAt)}`],
      ["project", `${agent.project.name}  ${agent.project.path}`],
      ["tree", agent.branch === undefined ? agent.tree : `${agent.tree}  on ${agent.branch}`],
      ["parent", agent.parent ?? "none"],
      ["process", pid === undefined ? notKnown : `${pid} on ${host ?? "this host"}${on}`],
      ["works on", workItem === undefined ? (agent.task ?? "nothing claimed") : `${workItem.title}  ${workItem.id}`],
      ["holds", listed(holds.map((held) => `${[...held.paths, ...held.patterns].join(" ")}, ${left(held.expiresAt)}`))],
      [
        "waits for",
        listed(agent.waits.map(({ paths, holder }) => `${paths.join(" ")}${holder ? ` of ${holder.name}` : ""}`)),
      ],
      ["uncommitted", count ?? notKnown],
      ["capabilities", agent.capabilities.join(", ") || "none declared"],
      ...events.slice(0, 5).map(({ text, at }, index) => [index === 0 ? "last" : "", `${text}  ${ago(at)}`]),
    ],
  );
}

function statusText({ status }: Agent, out: Output): string {
  return out.paint(status === "active" ? "green" : "dim", status);
}
