/** Which files an agent ever reserved in its tree, as far as history is kept: those it may be taken to have worked on. */
import type { AgentCaller } from "../../contract/index.ts";
import { overlap } from "../globs/index.ts";
import { gitPath } from "../tree-paths/index.ts";
import { compilePath, compileStored } from "./covered-paths.ts";
import type { ReservationRepository } from "./store.ts";

type Reader = { readonly reservations: Pick<ReservationRepository, "grantsOf"> };

export async function everHeld(
  { project, agent, tree }: AgentCaller,
  { reservations }: Reader,
): Promise<(path: string) => boolean> {
  const own = (await reservations.grantsOf(project.id, agent.id))
    .filter((record) => record.tree === tree && record.mode === "exclusive")
    .flatMap(compileStored);
  return (path) => {
    const name = compilePath(gitPath(path, tree), tree);
    return own.some((held) => overlap(held, name) !== undefined);
  };
}
