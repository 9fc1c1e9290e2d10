/** The variable SYLK_CONFINED of a confined command: by it a running one is found again. */
export type Who = { readonly agent: string; readonly tree: string; readonly must: boolean };

export function markOf({ agent, tree }: Pick<Who, "agent" | "tree">): string {
  return `${agent}:${tree}`;
}
