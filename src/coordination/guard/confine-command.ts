/**
 * Before a shell command: how to start it so that what others hold is read-only for it and for everything it starts.
 *
 *   others hold nothing in the tree -> plain: no namespace, no cost
 *   they do, and a trial succeeded  -> words to put before the command
 *   they do, and it cannot be done  -> said; refused where guard.enforce is on
 */
import { DomainError, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { locateProject } from "../registry/index.ts";
import type { Confinement, ConfinementState } from "./confinement.ts";
import { foreignHolds, type ForeignHold, type ForeignHoldPorts } from "./foreign-holds.ts";
import { heldPlaces } from "./held-places.ts";
import type { GuardPolicy } from "./ports.ts";

export type ConfinePorts = ForeignHoldPorts & {
  readonly confinement: Confinement;
  readonly enforce: "auto" | "on" | "off";
  readonly policyFor: (tree: string) => Promise<GuardPolicy>;
};

export async function confineCommand(
  { cwd }: InputOf<"guard.confine">,
  caller: AgentCaller,
  ports: ConfinePorts,
): Promise<OutputOf<"guard.confine">> {
  const tree = await treeAt(cwd, caller);
  const holds = await foreignHolds(tree, caller, ports);
  if (holds.length === 0) return { state: "plain", words: [], held: [], exceptions: [] };
  const held = holds.flatMap((hold) => heldPaths(hold, ports));
  const state = await stateIn(tree, ports);
  const places = heldPlaces(tree, holds);
  if (!state.enforced) {
    if (ports.enforce === "on") throw unenforced(state.reason, held);
    return { state: "not-enforced", reason: state.reason, words: [], held, exceptions: [] };
  }
  const exceptions = [...places.exceptions];
  if (places.readOnly.length === 0) return { state: "plain", words: [], held, exceptions };
  const words = ports.confinement.wordsFor(places, { agent: caller.agent.id, tree, must: ports.enforce === "on" });
  return { state: "enforced", words: [...words], held, exceptions };
}

/** A policy that only warns must not be stricter in the kernel. */
export async function stateIn(
  tree: string,
  { enforce, policyFor, confinement }: Pick<ConfinePorts, "enforce" | "policyFor" | "confinement">,
): Promise<ConfinementState> {
  if (enforce === "off") return { enforced: false, reason: "guard.enforce is off" };
  if ((await policyFor(tree)) === "warn") return { enforced: false, reason: "guard.policy is warn" };
  return confinement.state();
}

/** A session may walk into another working tree of its repository. */
async function treeAt(cwd: string | undefined, { tree, project }: AgentCaller): Promise<string> {
  const place = cwd === undefined ? undefined : await locateProject(cwd).catch(() => undefined);
  return place !== undefined && place.path === project.path ? place.tree : tree;
}

type Held = OutputOf<"guard.confine">["held"][number];

function heldPaths({ record }: ForeignHold, { leases }: Pick<ConfinePorts, "leases">): readonly Held[] {
  const { id, holder, paths, patterns } = record;
  const expiresAt = leases.expiresAt(record);
  return [...paths, ...patterns].map((path) => ({ path, holder: holder.name, reservation: id, expiresAt }));
}

function unenforced(reason: string, held: readonly Held[]): DomainError {
  const [first] = held as [Held, ...Held[]];
  return new DomainError(
    "write.unenforced",
    `Stopped: ${first.holder} holds "${first.path}", and the kernel cannot keep it read-only for this command: ${reason}. "sylk doctor" says how to mend it; guard.enforce: auto lets commands run unprotected`,
    { details: { reason, held: held.slice(0, 20) } },
  );
}
