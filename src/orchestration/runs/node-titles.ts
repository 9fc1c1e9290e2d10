/** Titles of the nodes that Sylk's own agents work on, by their session key: an engineer's node, or "graph/node". */
import type { GraphId } from "../../contract/index.ts";
import type { GraphRepository } from "../graphs/index.ts";
import { specsOf } from "./run-nodes.ts";

const mostKept = 1_000;

/** Only running graphs are looked through, and each node once: its title stays while an agent works on it. */
export function createNodeTitles(dags: GraphRepository): (sessionKey: string) => Promise<string | undefined> {
  const titles = new Map<string, string>();
  async function find(key: string): Promise<string | undefined> {
    const [graph, node] = key.split("/");
    if (node !== undefined) {
      const found = await dags.find(graph as GraphId);
      return found && `${node} of ${found.name}`;
    }
    for (const { id } of await dags.withStatus("running"))
      for (const [name, { title }] of await specsOf(id, dags)) if (name === key) return title;
    return undefined;
  }
  return async (key) => {
    const known = titles.get(key) ?? (await find(key));
    if (known === undefined) return undefined;
    if (titles.size >= mostKept) titles.delete(titles.keys().next().value!);
    titles.set(key, known);
    return known;
  };
}
