/** Working trees on request: made, listed and given back, an event each. */
import {
  DomainError,
  worktree as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
  type Worktree,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent, type AgentRepository } from "../registry/index.ts";
import type { Worktrees } from "./ports.ts";

export type WorktreeRepositories = { readonly agents: AgentRepository; readonly events: EventRepository };
export type WorktreePorts = { readonly worktrees: Worktrees };

export async function createWorktree(
  { name }: InputOf<"worktree.create">,
  { caller, transact }: AgentCall<WorktreeRepositories>,
  { worktrees }: WorktreePorts,
): Promise<OutputOf<"worktree.create">> {
  await transact(caller.project.id, (tx) => requireLiveAgent(caller, tx));
  const { worktree, isNew, notice } = await worktrees.make(caller.tree, { agent: caller.agent.id, name });
  if (isNew)
    await transact(caller.project.id, (tx) =>
      tx.events.append(caller.project.id, contract.WorktreeCreated.of(worktree.tree, { worktree, by: caller.agent })),
    );
  return { worktree, ...defined({ notice }) };
}

export async function listWorktrees(
  { caller }: AgentCall<WorktreeRepositories>,
  { worktrees }: WorktreePorts,
): Promise<OutputOf<"worktree.list">> {
  return { items: [...(await worktrees.list(caller.tree))] };
}

export async function removeWorktree(
  { name }: InputOf<"worktree.remove">,
  { caller, transact }: AgentCall<WorktreeRepositories>,
  { worktrees }: WorktreePorts,
): Promise<OutputOf<"worktree.remove">> {
  await transact(caller.project.id, (tx) => requireLiveAgent(caller, tx));
  const worktree = ownOf(await worktrees.list(caller.tree), name, caller);
  const { quarantined } = await worktrees.remove(caller.tree, worktree);
  const kept = quarantined === undefined ? {} : { quarantined };
  await transact(caller.project.id, (tx) =>
    tx.events.append(
      caller.project.id,
      contract.WorktreeRemoved.of(worktree.tree, { worktree, ...kept, by: caller.agent }),
    ),
  );
  return { removed: worktree.tree, ...kept };
}

function ownOf(all: readonly Worktree[], name: string, { agent }: AgentCaller): Worktree {
  const own = all.filter((worktree) => worktree.agent === agent.id);
  const found = own.find((worktree) => worktree.name === name);
  if (found !== undefined) return found;
  throw new DomainError("worktree.not-found", `You have no working tree "${name}"; "sylk worktree list" shows yours`, {
    details: { name, near: own.map((worktree) => worktree.name) },
  });
}
