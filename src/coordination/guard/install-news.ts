/**
 * Which clients are not guarded here, because what was installed into them is missing or not trusted yet, and which agents
 * are guarded by hooks.
 *
 *   any hook -> look -> troubles -> start line, status line, `who`; the agent that works here is told once
 *
 * An agent counts as guarded once a hook of its session has asked, and only while nothing is missing: nothing says "guarded"
 * before it is.
 */
import { join } from "node:path";
import type { AgentCaller, AgentId, ClientName } from "../../contract/index.ts";
import type { AgentRepository } from "../registry/index.ts";
import { headOf } from "./family.ts";

export type InstallTrouble = {
  /** Undefined: of all clients. */
  readonly client: ClientName | undefined;
  /** The tree it was installed for; undefined: all of them. */
  readonly tree: string | undefined;
  readonly what: string;
  /** missing: no hook runs. untrusted: none runs before its user trusts it. gate: only commits are not checked. */
  readonly kind: "missing" | "untrusted" | "gate";
};
export type GuardState = { readonly guard: "guarded" | "unguarded"; readonly guardReason?: string };
export type InstallNews = {
  /** A sentence for each trouble that concerns a tree, or one of the trees of a repository (its git directory). */
  inTree(place: string): readonly string[];
  /** The same for a session whose own hook just ran, which its client therefore trusts. */
  forSession(who: Pick<AgentCaller, "agent" | "tree">): readonly string[];
  /** Those that the agent was not told yet. */
  tell(who: Pick<AgentCaller, "agent" | "tree">): readonly string[];
  /** By a look within the last second: a list of agents looks once. */
  guardOf(agent: { readonly id: AgentId; readonly client: ClientName; readonly tree: string }): Promise<GuardState>;
};
type Ports = {
  /** Looks at the files again; the same list while they are as they were. */
  readonly look: () => readonly InstallTrouble[];
  /** The same from a look within the last second: every hook looks first. */
  readonly lookedLately: () => readonly InstallTrouble[];
  /** Agents of whom a hook of this client asked, at any time. */
  readonly hooked: (client: ClientName) => Promise<ReadonlySet<string>>;
  readonly agents: Pick<AgentRepository, "find">;
};

const mostTold = 10_000;
/** Sylk's own engineers reserve what they write. */
const ownClient = "sylk";

export function createInstallNews({ look, lookedLately, hooked, agents }: Ports): InstallNews {
  let told: { readonly troubles: readonly InstallTrouble[]; readonly agents: Set<string> } | undefined;
  const concerning = (place: string, troubles: readonly InstallTrouble[]) =>
    troubles.filter(({ tree }) => tree === undefined || tree === place || join(tree, ".git") === place);
  const here = (place: string) => concerning(place, look());
  const forSession: InstallNews["forSession"] = ({ agent, tree }) =>
    here(tree)
      .filter(({ kind, client }) => kind !== "untrusted" || client !== agent.client)
      .map(sentenceOf);
  return {
    inTree: (place) => here(place).map(sentenceOf),
    forSession,
    tell({ agent, tree }) {
      const troubles = lookedLately();
      if (told?.troubles !== troubles) told = { troubles, agents: new Set() };
      if (troubles.length === 0 || told.agents.has(agent.id)) return [];
      if (told.agents.size < mostTold) told.agents.add(agent.id);
      return forSession({ agent, tree });
    },
    async guardOf({ id, client, tree }) {
      if (client === ownClient) return { guard: "guarded" };
      const own = concerning(tree, lookedLately()).filter(
        (trouble) => trouble.client === undefined || trouble.client === client,
      );
      const missing = own.find(({ kind }) => kind === "missing");
      if (missing !== undefined) return { guard: "unguarded", guardReason: missing.what };
      if ((await hooked(client)).has(await headOf(id, agents))) return { guard: "guarded" };
      const untrusted = own.find(({ kind }) => kind === "untrusted");
      return { guard: "unguarded", guardReason: untrusted?.what ?? "no hook of its session has asked" };
    },
  };
}

function sentenceOf({ client, what, kind }: InstallTrouble): string {
  if (kind === "gate") return `commits are NOT checked: ${what}`;
  return `${client ?? "every client"} is NOT guarded: ${what}`;
}
