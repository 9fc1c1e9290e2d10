/** After a read: what was read is kept for whom a commit concerns, and the answer says what to read again. */
import type { AgentCaller, InputOf, OutputOf } from "../../contract/index.ts";
import type { CatchUpClock, ReadLog } from "../commits/index.ts";
import { canBeHeld } from "../path-pattern/index.ts";
import { treePath } from "./tree-path.ts";

type Ports = { readonly reads: ReadLog; readonly catchUp: CatchUpClock };

export async function guardRead(
  { paths: files }: InputOf<"guard.read">,
  { project, agent, tree }: AgentCaller,
  { reads, catchUp }: Ports,
): Promise<OutputOf<"guard.read">> {
  const located = await Promise.all(files.map((file) => treePath(file, tree)));
  const paths = located.filter((path) => path !== undefined && canBeHeld(path)) as string[];
  reads.read(project.id, agent.id, paths);
  const known = new Set(paths);
  return { recorded: paths.length, refresh: catchUp.refresh(agent.id).filter((path) => !known.has(path)) };
}
