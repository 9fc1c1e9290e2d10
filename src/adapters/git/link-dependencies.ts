/**
 * Links the project's installed dependencies into a run's tree: git leaves ignored folders out of a new worktree, and without
 * `node_modules` neither linter nor tests of an ordinary project would run.
 *
 *   <repository>/node_modules/left-pad   -> the same folder, by a link
 *   <repository>/node_modules/@shop/cart -> ../../packages/cart of the run's own tree
 *
 * The second is a package of the project itself (npm workspaces): a link into the repository would test the code that the
 * run did not change. Only ignored folders are linked, each entry by itself: a rule such as `node_modules/` would not
 * ignore a link in the folder's place. Packages of the project that were never linked by npm stay as they are.
 */
import { existsSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Workspace } from "../../orchestration/sessions/index.ts";
import type { Git } from "./run-git.ts";

const dependencyFolders = ["node_modules", ".venv"];
/** Tools write there: a run has its own, and does not fill the user's. */
const cacheFolders = new Set([".cache", ".vite", ".vite-temp", ".vitest", ".tmp"]);

export async function linkDependencies(git: Git, { repository, tree }: Workspace): Promise<void> {
  for (const folder of await installedFolders(git, repository)) {
    const from = join(repository, folder);
    const to = join(tree, folder);
    if (isInside(tree, dirname(to)) && !existsSync(to))
      linkEntries(from, to, { repository: realpathSync(repository), tree });
  }
}

/** Commands of the run may have put a link out of the tree in the folder's place. */
function isInside(tree: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  const [root, place] = [realpathSync(tree), realpathSync(folder)];
  return place === root || place.startsWith(root + sep);
}

/** Beside the root's own, one for each package of the project: where a package.json is tracked. */
async function installedFolders(git: Git, repository: string): Promise<readonly string[]> {
  const manifests = await git(repository, ["ls-files", "-z", "--", "package.json", "**/package.json"]);
  const places = new Set(["", ...manifests.split("\0").filter(Boolean).map(placeOf)]);
  const present = [...places]
    .flatMap((place) => dependencyFolders.map((name) => join(place, name)))
    .filter((folder) => statSync(join(repository, folder), { throwIfNoEntry: false })?.isDirectory());
  return present.length === 0 ? [] : ignoredOf(git, repository, present);
}

function placeOf(manifest: string): string {
  const place = dirname(manifest);
  return place === "." ? "" : place;
}

async function ignoredOf(git: Git, repository: string, folders: readonly string[]): Promise<readonly string[]> {
  const listing = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--"];
  const ignored = (await git(repository, [...listing, ...folders])).split("\0").map((path) => path.replace(/\/$/, ""));
  return folders.filter((folder) => ignored.includes(folder));
}

type Trees = { readonly repository: string; readonly tree: string };

function linkEntries(from: string, to: string, trees: Trees): void {
  mkdirSync(to);
  for (const { name } of readdirSync(from, { withFileTypes: true })) {
    const entry = join(from, name);
    if (name.startsWith("@") || name === ".bin") linkEntries(entry, join(to, name), trees);
    else if (existsSync(entry) && !cacheFolders.has(name)) symlinkSync(targetOf(entry, trees), join(to, name));
  }
}

function targetOf(entry: string, { repository, tree }: Trees): string {
  const target = realpathSync(entry);
  const inside = relative(repository, target);
  const isOwnPackage = !inside.startsWith("..") && !inside.split(sep).some((part) => dependencyFolders.includes(part));
  return isOwnPackage ? join(tree, inside) : target;
}
