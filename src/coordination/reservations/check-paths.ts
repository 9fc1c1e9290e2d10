/** Tells a gate before a write whether each path is free, the caller's, or another agent's. Reserves nothing. */
import type { AgentCaller, InputOf, OutputOf } from "../../contract/index.ts";
import { viewHolder } from "../registry/index.ts";
import { compileInput, compilePath } from "./covered-paths.ts";
import { refuseToken } from "./fencing.ts";
import { findOverlaps } from "./find-overlaps.ts";
import { nameInput } from "./name-input.ts";
import type { ReservationPorts } from "./ports.ts";
import { couldBlock } from "./rivals.ts";

type Item = OutputOf<"reservation.check">["items"][number];

export async function checkPaths(
  { paths, fencingToken }: InputOf<"reservation.check">,
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.check">> {
  const named = nameInput({ paths, patterns: [] }, caller.tree, ports.resolveName);
  compileInput(named, caller.tree);
  await refuseToken({ fencingToken, ...named }, caller, ports.store.reader, ports);
  const states = await Promise.all(named.paths.map((path) => stateOf(path, caller, ports)));
  return { items: states.map((state, index) => ({ ...state, path: paths[index]! })) };
}

/** Of files as git names them: links are links, and a name that could not be reserved may still be covered by a glob. */
export async function checkObserved(
  { paths, fencingToken }: InputOf<"reservation.check">,
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.check">> {
  await refuseToken({ fencingToken, paths, patterns: [] }, caller, ports.store.reader, ports);
  return { items: await Promise.all(paths.map((path) => stateOf(path, caller, ports))) };
}

/** Another agent's exclusive hold outweighs the caller's own shared one. */
async function stateOf(
  path: string,
  { agent, tree, project }: AgentCaller,
  { store, leases, liveness }: ReservationPorts,
): Promise<Item> {
  const { reservations, agents } = store.reader;
  const writer = { agent, tree, mode: "exclusive", scope: "tree" } as const;
  let state: Item = { path, state: "free" };
  for await (const { record } of findOverlaps(project.id, [compilePath(path, tree)], reservations)) {
    if (!leases.isLive(record)) continue;
    if (record.holder.id === agent.id && record.tree === tree) {
      if (state.state === "free") state = { path, state: "yours", reservation: record.id };
    } else if (couldBlock(record, writer)) {
      const holder = await agents.find(record.holder.id);
      const theirs = { path, reservation: record.id, holder: viewHolder(holder!, liveness) };
      if (record.mode === "exclusive") return { ...theirs, state: "taken" };
      state = { ...theirs, state: "shared" };
    }
  }
  return state;
}
