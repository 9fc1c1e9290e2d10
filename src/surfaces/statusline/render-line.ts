/** One line from what is known; what is not known is said or left out, never made up. */
import type { Coordination } from "./ask-daemon.ts";
import type { ClientInput } from "./client-input.ts";
import type { Tree } from "./read-tree.ts";

export type Facts = {
  readonly input: ClientInput;
  readonly tree: Tree | undefined;
  readonly coordination: Coordination | string;
};

const longest = 200;
/** From here on names give way to numbers. */
const mostNamed = 3;

export function renderLine({ input, tree, coordination }: Facts): string {
  const parts = [
    treeText(tree),
    ...(typeof coordination === "string" ? [coordination] : coordinationTexts(coordination)),
    input.model,
    input.context === undefined ? undefined : `context ${Math.round(input.context)} %`,
    input.usd === undefined ? undefined : `$${input.usd.toFixed(2)}`,
  ];
  const line = parts.filter((part) => part !== undefined && part !== "").join(" | ");
  return cut(plain(`sylk ${line}`), longest);
}

function treeText(tree: Tree | undefined): string | undefined {
  if (tree === undefined) return undefined;
  if (tree.changed === undefined) return tree.branch;
  return tree.changed === 0 ? `${tree.branch} clean` : `${tree.branch} ${tree.changed} changed`;
}

function coordinationTexts({ own, others, runs, incidents, enforced }: Coordination): readonly string[] {
  const claim = own?.workItems[0];
  const [run] = runs;
  return [
    ...(enforced ? [] : ["NOT enforced"]),
    othersText(others),
    ...(claim === undefined ? [] : [`claimed: ${cut(claim.title, 30)}`]),
    ...(run === undefined ? [] : [`run: ${cut(run.request, 30)}${runs.length > 1 ? ` +${runs.length - 1}` : ""}`]),
    ...(incidents === 0 ? [] : [`${incidents} unresolved ${incidents === 1 ? "incident" : "incidents"}`]),
  ];
}

function othersText(others: Coordination["others"]): string {
  if (others.length === 0) return "no other agents";
  const files = others.reduce((sum, agent) => sum + agent.files.length, 0);
  if (others.length > mostNamed) return `${others.length} agents, ${files} files`;
  return others.map(({ name, files: held }) => (held.length === 0 ? name : `${name}: ${filesText(held)}`)).join(", ");
}

function filesText(files: readonly string[]): string {
  const [first] = files;
  return files.length === 1 ? cut(first!, 40) : `${cut(first!, 30)} +${files.length - 1}`;
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Others' words reach the terminal: no control characters, no line ends, nothing that turns the writing around. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, " ");
}
