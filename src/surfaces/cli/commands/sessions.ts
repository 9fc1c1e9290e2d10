/** Sessions on the command line: make, look, switch, put down, take up, end. */
import type { OutputOf, Session, Workflow } from "../../../contract/index.ts";
import { focusedUnlessNamed } from "../focused-session.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago, counted } from "../wording.ts";
import { preferenceLines } from "./session-values.ts";

export const create = operationCommand("session.create", {
  details: '"sylk session switch" makes it the session that "sylk run" uses.',
  fields: ["name"],
  print: ({ session }, out) => out.line(`${session.id}  ${session.name}`),
});

export const list = operationCommand("session.list", {
  details: "A star marks your current session.",
  print({ items, focused }, out) {
    if (items.length === 0) return out.line("No sessions yet");
    out.table(
      ["", "session", "state", "at", "created", "name"],
      items.map(({ id, state, workflow, createdAt, name }) => [
        id === focused ? "*" : "",
        id,
        state,
        atWhat(workflow),
        ago(createdAt),
        name,
      ]),
    );
  },
});

export const show = operationCommand("session.get", {
  ...ofSession("Session (default: your current one)"),
  print: ({ session }, out) => printDetail(session, out),
});

export const switchTo = operationCommand("session.switch", {
  details: '"sylk run" without --session then uses it. If the previous session pauses, its runs pause too.',
  fields: ["id"],
  print({ session, previous }, out) {
    printState(session, out);
    if (previous !== undefined) out.line(`left ${previous.id} "${previous.name}", which is ${previous.state}`);
  },
});

export const pause = operationCommand("session.pause", {
  ...ofSession("Session (default: your current one)"),
  print: ({ session }, out) => printState(session, out),
});

export const resume = operationCommand("session.resume", {
  ...ofSession("Session (default: your current one)"),
  print: ({ session }, out) => printState(session, out),
});

export const suspend = operationCommand("session.suspend", {
  ...ofSession("Session (default: your current one)"),
  print: ({ session }, out) => printState(session, out),
});

export const close = operationCommand("session.close", {
  fields: ["id"],
  print: ({ session }, out) => printState(session, out),
});

export const stats = operationCommand("session.stats", {
  details: "Waiting times and running times are measured separately.",
  print(figures, out) {
    const { open, limit, waiting } = figures;
    const states = Object.entries(figures.states).map(([state, count]) => `${count} ${state}`);
    const line = waiting === 0 ? "" : `, ${waiting} ${waiting === 1 ? "caller waits" : "callers wait"} for room`;
    out.line(`${open} of ${counted(limit, "session")} open in all projects${line}`);
    out.paragraph(`in this project: ${states.join(", ")}`);
    printPool(figures.pool, out);
  },
});

export const messages = operationCommand("session.messages", {
  ...ofSession("Session (default: your current one)"),
  details: "Shown are messages that the daemon carried since it loaded the session.",
  print({ items, forgotten }, out) {
    if (items.length === 0) return out.line("No such messages");
    out.table(
      ["message", "when", "from", "to", "type", "priority", "text"],
      items.map(({ sequence, at, from, to, type, priority, text = "", error }) => [
        String(sequence),
        ago(at),
        from,
        to,
        type,
        String(priority),
        error === undefined ? firstLine(text) : `not answered: ${firstLine(error)}`,
      ]),
    );
    if (forgotten > 0) out.line(`no longer kept: ${counted(forgotten, "older message")}`);
  },
});

function ofSession(describe: string) {
  return { fields: ["id"], arguments: [{ name: "id", describe, required: false }], adjust: focusedUnlessNamed };
}

function printState({ id, name, state, reason }: Session, out: Output): void {
  out.line(`${id} "${name}" is ${state}${reason === undefined ? "" : `: ${reason}`}`);
}

function printDetail(session: OutputOf<"session.get">["session"], out: Output): void {
  const { workflow, metadata, preferences, promoted, topics } = session;
  const { dag, objective = "", reason, unfinished } = workflow;
  const others = unfinished - (isOver(workflow) ? 0 : 1);
  printState(session, out);
  out.table(
    ["", ""],
    [
      ["focus", session.focused ? "you look at it" : "not your current session"],
      ["at", atWhat(workflow) || "no runs yet"],
      ...(dag === undefined ? [] : [["work", `${dag} ${firstLine(objective)}`]]),
      ...(reason === undefined ? [] : [["why", reason]]),
      ...(others > 0 ? [["also", `${others} more unfinished: "sylk runs", "sylk dag list"`]] : []),
      ...(session.description === "" ? [] : [["about", session.description]]),
      ...(session.branch === undefined ? [] : [["branch", session.branch]]),
      ["created", ago(session.createdAt)],
      ["saved", session.saved],
      ["topics", String(topics.length)],
      ...Object.entries(metadata).map(([name, text]) => ["note", `${name}: ${text}`]),
      ...preferenceLines(preferences, promoted).map((line) => ["prefers", line]),
    ],
  );
}

/** "execution, 3 of 8 nodes done"; what is not under way is named by its status. */
function atWhat({ phase, status, progress: { done, total } }: Workflow): string {
  if (status === undefined) return "";
  const word = status === "running" ? phase : status.replaceAll("_", " ");
  // Nodes that were cancelled have ended too, but they are not done.
  const isCutShort = status === "failed" || status === "cancelled";
  return total === 0 || isCutShort ? word : `${word}, ${done} of ${counted(total, "node")} done`;
}

function isOver({ phase }: Workflow): boolean {
  return phase === "complete" || phase === "session";
}

function firstLine(text: string): string {
  const line = text.split("\n")[0]!;
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
}

function printPool(pool: OutputOf<"session.stats">["pool"], out: Output): void {
  const ms = (value: number): string => `${Math.round(value)} ms`;
  out.line(
    `pool: ${pool.running} of ${counted(pool.limit, "slot")} in use, ${pool.waiting} waiting, ${pool.refused} refused`,
  );
  if (pool.run.count > 0)
    out.line(
      `worked ${counted(pool.run.count, "time")}: half within ${ms(pool.run.p50Ms)}, 99 % within ${ms(pool.run.p99Ms)}`,
    );
  out.table(
    ["lane", "waiting", "served", "waited p50", "p99"],
    pool.lanes.map(({ lane, waiting, wait }) => [
      lane,
      String(waiting),
      String(wait.count),
      ms(wait.p50Ms),
      ms(wait.p99Ms),
    ]),
  );
  if (pool.sessions.length === 0) return;
  out.table(
    ["session", "waiting", "running", "done", "failed", "waited p50", "p99"],
    pool.sessions.map(({ session, waiting, running, finished, failed, wait }) => [
      session,
      String(waiting),
      String(running),
      String(finished),
      String(failed),
      ms(wait.p50Ms),
      ms(wait.p99Ms),
    ]),
  );
}
