/**
 * Watches folders of working trees and reports what is written there.
 *
 *   files by name      -> the folder each is in, or the nearest above it that is there
 *   folders            -> they and all below, as far as git does not ignore them
 *   one fs.watch each, not recursive: Node's own recursion on Linux opens one for every file, node_modules included
 *
 * What cannot be watched (too many, the system's limit, no right) is answered, never swallowed.
 */
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../contract/errors.ts";
import type { ChangedFile, TreeWatcher, WatchedTree, WatcherTold } from "../../coordination/tree-watch/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { foldersBelow } from "./folders-below.ts";

type Ports = {
  readonly clock: Clock;
  /** Runs git in a tree and answers with what it prints. */
  readonly git: (tree: string, args: readonly string[]) => Promise<string>;
  readonly mostFolders?: number;
};
type Place = { readonly tree: string; readonly folder: string };

/** A tenth of what an ordinary Linux allows one user. */
const defaultMost = 4_000;
/** How long a walk through folders is believed; a folder that comes or goes in them is seen at once. */
const walkKeptMs = 30_000;
const atOnce = 64;

export function createTreeWatcher({ clock, git, mostFolders = defaultMost }: Ports, told: WatcherTold): TreeWatcher {
  const open = new Map<string, FSWatcher>();
  /** Folders that came since the last look: their files may have been written before a watch began. */
  const fresh = new Set<string>();
  const walks = new Map<string, { readonly places: readonly Place[]; readonly isCut: boolean; readonly at: number }>();

  async function walked(tree: string, folders: readonly string[]) {
    const key = JSON.stringify([tree, folders]);
    const known = walks.get(key);
    if (known !== undefined && clock.monotonic() - known.at < walkKeptMs) return known;
    const ignored = new Set(await ignoredIn(tree, git));
    const places: Place[] = [];
    let isCut = false;
    for (const folder of folders) {
      const below = await foldersBelow(tree, nearestFolder(tree, folder), {
        isIgnored: (path) => ignored.has(path),
        most: mostFolders,
      });
      isCut ||= below.isCut;
      places.push(...below.folders.map((one) => ({ tree, folder: one })));
    }
    const walk = { places, isCut, at: clock.monotonic() };
    walks.set(key, walk);
    return walk;
  }

  function begin({ tree, folder }: Place): string | undefined {
    const whole = join(tree, folder);
    if (open.has(whole)) return undefined;
    try {
      const watcher = watch(whole, { persistent: false }, (kind, name) => heard(kind, name, { tree, folder }));
      watcher.on("error", () => forget(whole)); // the next look tries again, and says why it cannot
      open.set(whole, watcher);
      if (isFresh(whole))
        for (const file of filesIn(whole)) told.onChange(tree, folder === "" ? file : `${folder}/${file}`);
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : reasonOf(whole, error);
    }
  }

  function heard(kind: string, name: string | null, { tree, folder }: Place): void {
    if (name === null) return told.onFolders();
    if (name === ".git") return;
    const path = (folder === "" ? name : `${folder}/${name}`).normalize("NFC");
    const state = kindOf(join(tree, path));
    if (state !== "folder") told.onChange(tree, path);
    if (kind !== "rename" || state === "file") return;
    const whole = join(tree, path);
    if (state === "folder") {
      // What was written into a new folder before it was watched.
      for (const file of filesIn(whole)) told.onChange(tree, `${path}/${file}`);
      fresh.add(whole);
    } else if (!open.has(whole) && kindOf(join(tree, folder)) === "folder") return; // a plain file is gone
    forget(whole);
    if (kindOf(join(tree, folder)) !== "folder") forget(join(tree, folder));
    walks.clear();
    told.onFolders();
  }

  function isFresh(whole: string): boolean {
    for (const folder of fresh) if (whole === folder || whole.startsWith(`${folder}/`)) return true;
    return false;
  }

  function forget(whole: string): void {
    open.get(whole)?.close();
    open.delete(whole);
  }

  return {
    async watch(trees) {
      const troubles: string[] = [];
      const wanted = new Map<string, Place>();
      const add = (places: readonly Place[]): void => {
        for (const place of places) wanted.set(join(place.tree, place.folder), place);
      };
      // Files by name come first, of all trees: they are what their holders work at.
      for (const one of trees) add(named(one));
      for (const one of trees) {
        const { places, trouble } = await placesOf(one, walked);
        if (trouble !== undefined) troubles.push(trouble);
        add(places);
      }
      const chosen = [...wanted].slice(0, mostFolders);
      const left = new Set(chosen.map(([whole]) => whole));
      for (const whole of open.keys()) if (!left.has(whole)) forget(whole);
      if (wanted.size > chosen.length)
        troubles.push(`${wanted.size - chosen.length} folders are beyond the ${mostFolders} that are watched at most`);
      const refused = chosen.flatMap(([, place]) => begin(place) ?? []);
      fresh.clear();
      if (refused.length > 0) troubles.push(`${refused.length} folders cannot be watched: ${refused[0]}`);
      return troubles;
    },
    also(tree, paths) {
      for (const place of named({ tree, paths })) if (open.size < mostFolders) begin(place); // where it cannot, the next look says why
    },
    async changedSince({ tree, paths, folders, since, accepts, most }) {
      const { places } = await placesOf({ tree, folders }, walked); // `watch` says where it cannot
      const files = places.flatMap(({ folder }) =>
        filesIn(join(tree, folder)).map((file) => (folder === "" ? file : `${folder}/${file}`)),
      );
      const asked = [...new Set([...paths, ...files])].filter(accepts);
      const changed: ChangedFile[] = [];
      for (let index = 0; index < asked.length && changed.length <= most; index += atOnce) {
        const those = asked.slice(index, index + atOnce);
        const times = await Promise.all(those.map((path) => changedAt(join(tree, path))));
        for (const [place, path] of those.entries())
          if ((times[place] ?? since) >= since) changed.push({ path, at: times[place] });
      }
      return { changed: changed.slice(0, most), isCut: changed.length > most };
    },
    stop() {
      for (const whole of open.keys()) forget(whole);
    },
  };
}

/** The inode's own time: no program can set it back, and a file that is moved here gets a new one. */
async function changedAt(place: string): Promise<number | undefined> {
  try {
    return (await lstat(place)).ctimeMs;
  } catch {
    return undefined;
  }
}

type Walk = (
  tree: string,
  folders: readonly string[],
) => Promise<{ readonly places: readonly Place[]; readonly isCut: boolean }>;

function named({ tree, paths }: Pick<WatchedTree, "tree" | "paths">): readonly Place[] {
  return paths.map((path) => ({ tree, folder: nearestFolder(tree, folderOf(path)) }));
}

async function placesOf({ tree, folders }: Pick<WatchedTree, "tree" | "folders">, walk: Walk) {
  if (folders.length === 0) return { places: [], trouble: undefined };
  try {
    const { places, isCut } = await walk(tree, folders);
    const trouble = isCut
      ? `${tree} has more folders than are watched; local history misses changes below them`
      : undefined;
    return { places, trouble };
  } catch (error) {
    return { places: [], trouble: reasonOf(tree, error) };
  }
}

async function ignoredIn(tree: string, git: Ports["git"]): Promise<readonly string[]> {
  const listed = await git(tree, ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]);
  return listed
    .split("\0")
    .filter((path) => path.endsWith("/"))
    .map((path) => path.slice(0, -1).normalize("NFC"));
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
}

/** A file may be held before its folder is made; the folder above sees it come. */
function nearestFolder(tree: string, folder: string): string {
  for (let at = folder; at !== ""; at = folderOf(at)) if (kindOf(join(tree, at)) === "folder") return at;
  return "";
}

function kindOf(place: string): "folder" | "file" | "nothing" {
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
  } catch {
    return "nothing"; // it may not be looked at
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name.normalize("NFC"));
  } catch {
    return []; // gone again
  }
}

function reasonOf(place: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EMFILE")
    return `${place}: the system allows no more watches (${code}); raise fs.inotify.max_user_watches`;
  return `${place}: ${messageOf(error)}`;
}
