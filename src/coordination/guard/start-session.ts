/**
 * The beginning of a client's session: it gets its identity, what dead sessions left is looked after, and one line tells the
 * model who else is here. It says "no other agents" only when the registry was read.
 */
import { DomainError, type Agent, type InputOf, type Leftovers, type OutputOf } from "../../contract/index.ts";
import { incidentsText } from "../../contract/situation.ts";
import type { Call } from "../../platform/operations/index.ts";
import { listPresence } from "../who/index.ts";
import { attachSession } from "../registry/index.ts";
import type { GuardPorts, GuardRepositories } from "./ports.ts";

type Other = OutputOf<"guard.start">["others"][number];

const mostNamed = 5;
const mostFiles = 3;

export async function startSession(
  wanted: InputOf<"guard.start">,
  call: Pick<Call<GuardRepositories>, "transact">,
  ports: GuardPorts,
): Promise<OutputOf<"guard.start">> {
  const { agent } = await attachSession(wanted, call, ports);
  const others = await othersThan(agent, ports);
  const left = await leftovers(agent, ports);
  const killed = (await ports.leftNews?.tell({ agent, tree: agent.tree })) ?? [];
  const missing = ports.installs?.forSession({ agent, tree: agent.tree }) ?? [];
  ports.installs?.tell({ agent, tree: agent.tree });
  const said = [
    ...killed.map(capitalised),
    ...missing,
    unguardedText(await ports.unguarded.tell(agent.id)),
    incidentsSaid(ports.incidents()),
  ];
  const briefing = await ports.brief?.(agent);
  const line = lineFor(agent, others, left, said);
  return { agent, others, left, line: briefing === undefined ? line : `${line}\n${briefing}` };
}

/** A person who only typed a command is not at work here. */
async function othersThan(agent: Agent, ports: GuardPorts): Promise<Other[]> {
  const { items } = await listPresence({ limit: 100 }, { kind: "user", project: agent.project }, ports);
  return items
    .filter(({ id, parent, client, files }) => {
      if (id === agent.id || parent === agent.id) return false;
      return client !== "human" || files.length > 0;
    })
    .map(({ id, name, client, status, lastSeenAt, files }) => ({ id, name, client, status, lastSeenAt, files }));
}

/** Looking after what is left must not keep a session from beginning. */
async function leftovers({ project, tree }: Agent, { store, clearLeftovers }: GuardPorts): Promise<Leftovers> {
  const ownerless = (await store.reader.workItems.readyOwnerless(project.id, mostNamed)).map(({ id }) => id);
  try {
    return { ...(await clearLeftovers(project, tree)), ownerless };
  } catch (error) {
    const unknown = error instanceof DomainError ? error.message : String(error);
    return { removed: [], quarantined: [], ownerless, unknown };
  }
}

function incidentsSaid(incidents: readonly string[]): string {
  return incidents.length === 0 ? "" : incidentsText(incidents);
}

/** Of a session that continues: its hooks had no answer, or its commands had unknown write targets. */
function unguardedText(calls: readonly string[]): string {
  return calls.length === 0 ? "" : `${counted(calls.length, "tool call")} of yours ran unguarded (${calls.at(-1)})`;
}

function lineFor({ name }: Agent, others: readonly Other[], left: Leftovers, said: readonly string[]): string {
  const parts = [`Sylk: you are ${name}`, presence(others), aftermath(left), ...said];
  return `${parts.filter((part) => part !== "").join(". ")}.`;
}

function presence(others: readonly Other[]): string {
  if (others.length === 0) return "No other agents here";
  const named = others.slice(0, mostNamed).map(({ name, client, status, files }) => {
    const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : "";
    return `${name} (${client}, ${status})${files.length === 0 ? "" : ` on ${files.slice(0, mostFiles).map(shortened).join(", ")}${more}`}`;
  });
  const rest = others.length > mostNamed ? `; ${others.length - mostNamed} more, "sylk who" lists them` : "";
  return `Here too: ${named.join("; ")}${rest}`;
}

/** A file name that another agent chose, in the model's context: long enough to find the file, too short to say much. */
function shortened(path: string): string {
  return path.length <= 80 ? path : `…${path.slice(-79)}`;
}

function aftermath({ removed, quarantined, ownerless, unknown }: Leftovers): string {
  const parts = [
    ...(removed.length === 0 ? [] : [`${counted(removed.length, "leftover")} without unsaved work removed`]),
    ...(quarantined.length === 0 ? [] : [`unsaved work put into quarantine as ${quarantined.join(", ")}`]),
    ...(ownerless.length === 0
      ? []
      : [
          `${counted(ownerless.length, "work item")} in progress without an owner (${ownerless.join(", ")}; "sylk ready")`,
        ]),
    ...(unknown === undefined ? [] : [`some could not be examined: ${unknown}`]),
  ];
  return parts.length === 0 ? "" : `From dead sessions: ${parts.join("; ")}`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
