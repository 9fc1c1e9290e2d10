/** A plan as YAML, for an editor. Loaded only when a plan is edited: the library is large. */
import { stringify } from "yaml";

export function planText(id: string, nodes: Readonly<Record<string, unknown>>): string {
  const head = `# The plan of ${id}. Change, add or remove nodes, then save and close. The name of a new node is free.\n`;
  return head + stringify({ nodes }, { lineWidth: 0 });
}
