/** Where a source is: an address, or a path on this machine. An agent reads in its own tree only. */
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { type Caller, DomainError } from "../../contract/index.ts";

export type Place = { readonly where: "network" | "disk"; readonly location: string };

export async function placeOf(
  location: string,
  caller: Caller,
  treeOf: (caller: Caller) => Promise<string>,
): Promise<Place> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return { where: "network", location };
  const base = caller.kind === "user" && isAbsolute(location) ? "/" : await treeOf(caller);
  const given = resolve(base, location);
  const path = await realpath(given).catch((cause: unknown) => {
    throw new DomainError("source.unreadable", `There is no file or folder "${given}"; check the path`, {
      details: { location: given },
      cause,
    });
  });
  const tree = caller.kind === "agent" ? await realpath(caller.tree).catch(() => caller.tree) : undefined;
  if (tree !== undefined && path !== tree && !path.startsWith(tree + sep))
    throw new DomainError("caller.denied", `${path} lies outside of the agent's tree ${tree}; ask the user to add it`, {
      details: { needed: "a path inside its own tree" },
    });
  return { where: "disk", location: path };
}
