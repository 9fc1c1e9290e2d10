/** Sessions on the command line: make, look, switch, put down, take up, end. */
import { DomainError } from "../../../contract/errors.ts";
import type { OutputOf, Session, SessionId } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

const exampleId = "ses_01jd8q3m7k4x9t2v5b8n1c";
type Fields = Record<string, unknown>;

export const create = operationCommand("session.create", {
  words: "session new",
  example: 'sylk session new "checkout"',
  details: '"sylk session switch" then makes it the one that "sylk run" works in.',
  fields: ["name"],
  print: ({ session }, out) => out.line(`${session.id}  ${session.name}`),
});

export const list = operationCommand("session.list", {
  words: "session list",
  example: "sylk session list",
  details: "The one you look at has a star.",
  print({ items, focused }, out) {
    if (items.length === 0) return out.line("No sessions yet");
    out.table(
      ["", "session", "state", "since", "name"],
      items.map(({ id, state, createdAt, name }) => [id === focused ? "*" : "", id, state, ago(createdAt), name]),
    );
  },
});

export const show = operationCommand("session.get", {
  words: "session show",
  example: `sylk session show ${exampleId}`,
  ...ofSession("Session; without it the one you look at"),
  print: ({ session }, out) => printDetail(session, out),
});

export const switchTo = operationCommand("session.switch", {
  words: "session switch",
  example: `sylk session switch ${exampleId}`,
  details: '"sylk run" without --session then runs in it. A session that is paused by this pauses its runs too.',
  fields: ["id"],
  print({ session, previous }, out) {
    printState(session, out);
    if (previous !== undefined) out.line(`left ${previous.id} "${previous.name}", which is ${previous.state}`);
  },
});

export const pause = operationCommand("session.pause", {
  words: "session pause",
  example: `sylk session pause ${exampleId}`,
  ...ofSession("Session; without it the one you look at"),
  print: ({ session }, out) => printState(session, out),
});

export const resume = operationCommand("session.resume", {
  words: "session resume",
  example: `sylk session resume ${exampleId}`,
  ...ofSession("Session; without it the one you look at"),
  print: ({ session }, out) => printState(session, out),
});

export const suspend = operationCommand("session.suspend", {
  words: "session suspend",
  example: `sylk session suspend ${exampleId}`,
  ...ofSession("Session; without it the one you look at"),
  print: ({ session }, out) => printState(session, out),
});

export const close = operationCommand("session.close", {
  words: "session close",
  example: `sylk session close ${exampleId} --reason merged`,
  fields: ["id"],
  print: ({ session }, out) => printState(session, out),
});

export const stats = operationCommand("session.stats", {
  words: "session stats",
  example: "sylk session stats",
  details: "Waiting for a slot and working in one are measured apart.",
  print(figures, out) {
    const states = Object.entries(figures.states).map(([state, count]) => `${count} ${state}`);
    out.line(`${figures.open} of ${figures.limit} sessions open: ${states.join(", ")}`);
    printPool(figures.pool, out);
  },
});

function ofSession(describe: string) {
  return { fields: ["id"], arguments: [{ name: "id", describe, required: false }], adjust: focusedUnlessNamed };
}

async function focusedUnlessNamed(input: Fields, { connect }: CommandContext): Promise<Fields> {
  if (input.id !== undefined) return input;
  const id = await focusedSession(await connect());
  if (id !== undefined) return { ...input, id };
  throw new DomainError("input.invalid", 'You look at no session; name one, or "sylk session switch" to it', {
    details: { problems: [{ path: "id", message: "is missing" }] },
  });
}

/** The session that the caller looks at in this project. */
export async function focusedSession(
  client: Awaited<ReturnType<CommandContext["connect"]>>,
): Promise<SessionId | undefined> {
  return (await client.call("session.list", { limit: 1 })).focused;
}

function printState({ id, name, state, reason }: Session, out: Output): void {
  out.line(`${id} "${name}" is ${state}${reason === undefined ? "" : `: ${reason}`}`);
}

function printDetail(session: OutputOf<"session.get">["session"], out: Output): void {
  const { workflow, metadata, preferences, topics } = session;
  const pairs = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join("  ");
  printState(session, out);
  out.table(
    ["", ""],
    [
      ["focus", session.focused ? "you look at it" : "you look elsewhere"],
      ["at", `${workflow.phase}, ${workflow.progress.done} of ${workflow.progress.total} nodes done`],
      ...(workflow.dag === undefined ? [] : [["graph", workflow.dag]]),
      ...(session.description === "" ? [] : [["about", session.description]]),
      ...(session.branch === undefined ? [] : [["branch", session.branch]]),
      ["since", ago(session.createdAt)],
      ["saved", session.saved],
      ["topics", String(topics.length)],
      ...(Object.keys(metadata).length === 0 ? [] : [["notes", pairs(metadata)]]),
      ...(Object.keys(preferences).length === 0 ? [] : [["prefers", pairs(preferences)]]),
    ],
  );
}

function printPool(pool: OutputOf<"session.stats">["pool"], out: Output): void {
  const ms = (value: number): string => `${Math.round(value)} ms`;
  out.line(`pool: ${pool.running} of ${pool.limit} slots in use, ${pool.waiting} waiting, ${pool.refused} refused`);
  if (pool.run.count > 0)
    out.line(`worked ${pool.run.count} times: half within ${ms(pool.run.p50Ms)}, 99 % within ${ms(pool.run.p99Ms)}`);
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
