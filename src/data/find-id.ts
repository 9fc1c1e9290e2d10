/** What a short word stands for: looked up in the caller's project, and for the user in every other where it has none. */
import { type Caller, type FoundId, type InputOf, mostFound, namedKinds, type OutputOf } from "../contract/index.ts";
import { fits, type NamedThings } from "./named-things.sqlite.ts";

export async function findId(
  { text, kinds }: InputOf<"id.find">,
  caller: Caller,
  named: NamedThings,
): Promise<OutputOf<"id.find">> {
  const wanted = kinds.length === 0 ? namedKinds : kinds;
  const places = caller.kind === "user" ? [caller.project?.id, undefined] : [caller.project.id];
  for (const project of places)
    for (const fit of fits) {
      const terms = { project, limit: mostFound + 1 };
      const all = await Promise.all(wanted.map((kind) => named.find(kind, text, fit, terms)));
      const found = all.flat().filter(visibleTo(caller));
      if (found.length > 0) return { items: newestFirst(found).slice(0, mostFound), more: found.length > mostFound };
    }
  return { items: [], more: false };
}

/** Other projects are the user's to know. */
function visibleTo(caller: Caller): (found: FoundId) => boolean {
  return ({ id }) => caller.kind === "user" || !id.startsWith("prj_") || id === caller.project.id;
}

/** Ids sort by the time of their creation. */
function newestFirst(found: readonly FoundId[]): readonly FoundId[] {
  return found.toSorted((a, b) => (a.id.slice(4) < b.id.slice(4) ? 1 : -1));
}
