/** Agents on the command line. */
import type { Agent } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

export const who = operationCommand("agent.list", {
  words: "who",
  example: "sylk who --capability code-review",
  print({ items }, out) {
    if (items.length === 0) return out.line("No live agents here");
    out.table(
      ["agent", "client", "status", "last active", "tree", "id"],
      items.map((agent) => [
        agent.name,
        agent.client,
        statusText(agent, out),
        ago(agent.lastSeenAt),
        agent.tree,
        agent.id,
      ]),
    );
  },
});

export const register = operationCommand("agent.register", {
  words: "agent register",
  example: "sylk agent register --session-key demo-1 --client other --name heron",
  without: ["project"],
  adjust: (input, { cwd }) => ({ ...input, project: { path: cwd } }),
  print({ agent, token }, out) {
    out.line(`${agent.name} is registered as ${agent.id} in ${agent.project.name}`);
    out.line(`To act as this agent: export SYLK_TOKEN=${token}`);
  },
});

export const show = operationCommand("agent.get", {
  words: "agent show",
  example: "sylk agent show agt_01jd8q3m7k4x9t2v5b8n1c",
  fields: ["id"],
  print: ({ agent }, out) => printAgent(agent, out),
});

export const heartbeat = operationCommand("agent.heartbeat", {
  words: "agent heartbeat",
  example: "sylk agent heartbeat agt_01jd8q3m7k4x9t2v5b8n1c",
  fields: ["id"],
  print({ agent, pending }, out) {
    out.line(`${agent.name} is ${agent.status}`);
    const { mail, notices, blockingFindings } = pending;
    if (mail + notices > 0)
      out.line(`unread: ${mail} messages, ${notices} notices, ${blockingFindings} blocking findings`);
  },
});

export const end = operationCommand("agent.end", {
  words: "agent end",
  example: "sylk agent end agt_01jd8q3m7k4x9t2v5b8n1c",
  fields: ["id"],
  print: ({ agent, releasedReservations, releasedClaims }, out) =>
    out.line(`${agent.name} has ended; freed ${releasedReservations} reservations, returned ${releasedClaims} claims`),
});

function printAgent(agent: Agent, out: Output): void {
  out.table(
    ["", ""],
    [
      ["name", agent.name],
      ["id", agent.id],
      ["client", agent.client],
      ["status", `${statusText(agent, out)}, last active ${ago(agent.lastSeenAt)}`],
      ["project", `${agent.project.name}  ${agent.project.path}`],
      ["tree", agent.tree],
      ["capabilities", agent.capabilities.join(", ") || "none declared"],
    ],
  );
}

function statusText({ status }: Agent, out: Output): string {
  return out.paint(status === "active" ? "green" : "dim", status);
}
