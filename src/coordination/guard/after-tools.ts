/**
 * After tools have run: their calls are over, what they wrote is renewed, which counts from the end of a long command, and what they read is
 * remembered, so that its reader hears of the next commit of it. Reserves nothing: that was asked for before.
 */
import type { AgentCaller, InputOf, OutputOf } from "../../contract/index.ts";
import { checkPaths } from "../reservations/index.ts";
import type { GuardPorts } from "./ports.ts";
import { canBeHeld } from "../globs/index.ts";
import { treePath } from "../tree-paths/index.ts";

export async function afterTools(
  { read, wrote, ended, turnEnded }: InputOf<"guard.used">,
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<Pick<OutputOf<"guard.used">, "renewed" | "remembered">> {
  const inTree = (files: readonly string[]): readonly string[] =>
    [...new Set(files.flatMap((file) => treePath(file, caller.tree) ?? []))].filter(canBeHeld);
  const known = inTree([...read, ...wrote]);
  ports.reads.remember(caller.agent.id, known);
  const written = inTree(wrote);
  ports.kept?.after({ project: caller.project.id, tree: caller.tree, paths: written, agent: caller.agent.id });
  ports.calls.ended(caller.agent.id, ended, { tree: caller.tree, paths: written });
  if (turnEnded) ports.calls.endedAll(caller.agent.id);
  const { items } = await checkPaths({ paths: [...written] }, caller, { ...ports, resolveName: undefined });
  let renewed = 0;
  for (const { state, reservation } of items) {
    const record =
      state === "yours" && reservation !== undefined && (await ports.store.reader.reservations.find(reservation));
    if (!record) continue;
    ports.leases.edit(record);
    renewed++;
  }
  return { renewed, remembered: known.length };
}
