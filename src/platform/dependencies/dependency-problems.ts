/** Problems of the edges of a graph: unknown ends, an edge of a node to itself, cycles. */
import { findCycles } from "./find-cycles.ts";
import type { Dependent, GraphIndex } from "./graph-index.ts";

export type DependencyProblem = {
  readonly type: "unknown-dependency" | "self-dependency" | "cycle";
  /** Names the node and how to correct it. */
  readonly message: string;
  /** The affected nodes. For a cycle: its path, with the first node repeated at the end. */
  readonly nodes: readonly string[];
};

const mostNamed = 10;

export function* dependencyProblems(
  nodes: readonly Dependent[],
  isKnown: (id: string) => boolean,
): Generator<DependencyProblem> {
  for (const { id, dependsOn } of nodes) {
    for (const other of dependsOn.length > 1 ? new Set(dependsOn) : dependsOn) {
      if (other === id) {
        yield {
          type: "self-dependency",
          message: `${quoted(id)} depends on itself; remove that dependency`,
          nodes: [id],
        };
      } else if (!isKnown(other)) {
        const message = `${quoted(id)} depends on ${quoted(other)}, which is not in the graph`;
        yield { type: "unknown-dependency", message, nodes: [id, other] };
      }
    }
  }
}

/** Ignores dependencies outside `nodes`. */
export function cycleProblems(
  nodes: readonly Dependent[],
  { parents }: Pick<GraphIndex, "parents">,
): DependencyProblem[] {
  return findCycles(parents).map((cycle) => {
    const path = cycle.map((index) => nodes[index]?.id ?? "");
    return {
      type: "cycle",
      message: `dependency cycle: ${pathText(path)}; remove one of these dependencies`,
      nodes: path,
    };
  });
}

function pathText(path: readonly string[]): string {
  const shown = path.length > 2 * mostNamed ? [...path.slice(0, mostNamed), "…", ...path.slice(-mostNamed)] : path;
  return shown.join(" → ");
}

/** Ids come from models: a long one must not fill the message. */
export function quoted(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 79)}…` : id);
}
