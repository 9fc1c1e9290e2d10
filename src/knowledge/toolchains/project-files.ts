/**
 * The files of a folder as discovery sees them: a bounded list of paths, and bounded texts. It follows no link out of the
 * folder, opens plain files only, and executes nothing.
 */
import { constants, type Dirent } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

export type ProjectFiles = {
  /** Relative, with "/"; the shallowest first. */
  readonly paths: readonly string[];
  /** Folders that were listed, relative; "" is the root. */
  readonly folders: readonly string[];
  /** Of a plain file inside; undefined where there is none, or it is larger than the limit. */
  read(path: string): Promise<string | undefined>;
  /** Whether the folder has more files than were listed. */
  readonly cut: boolean;
};

const largestFile = 1_048_576;
const mostFiles = 20_000;
const mostFolders = 2_000;
const deepest = 12;
/** Folders of dependencies and of built files: what lies there is not the project's own. */
const skipped = new Set(
  "node_modules .git .hg .svn .venv venv env .tox .nox __pycache__ vendor target dist build out .next .nuxt .gradle .idea .cache .mypy_cache .pytest_cache .ruff_cache .terraform _build deps .dart_tool .build zig-cache .zig-cache zig-out bin obj coverage Pods".split(
    " ",
  ),
);

/** `top` is the repository around the folder: files of the folders between are listed as "../name". */
export async function readFolder(root: string, top: string = root): Promise<ProjectFiles> {
  const base = await realpath(root);
  const limit = await realpath(top);
  const paths: string[] = [];
  const folders: string[] = [];
  let level: readonly string[] = [""];
  for (let depth = 0; level.length > 0 && depth < deepest; depth++) {
    const room = level.slice(0, Math.max(0, mostFolders - folders.length));
    const listed = await Promise.all(room.map((folder) => entriesOf(join(base, folder))));
    const next: string[] = [];
    for (const [index, entries] of listed.entries()) {
      const folder = room[index]!;
      folders.push(folder);
      for (const entry of entries) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isFile()) paths.push(path);
        else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(path);
      }
    }
    level = paths.length >= mostFiles ? [] : next;
  }
  const cut = paths.length > mostFiles || folders.length >= mostFolders;
  const above = await filesAbove(base, limit);
  return {
    paths: [...paths.slice(0, mostFiles), ...above.paths],
    folders: [...folders, ...above.folders],
    cut,
    read: (path) => readInside(base, path, limit),
  };
}

async function filesAbove(base: string, limit: string): Promise<Pick<ProjectFiles, "paths" | "folders">> {
  const paths: string[] = [];
  const folders: string[] = [];
  let up = "..";
  for (let at = base; at !== limit && at.startsWith(limit + sep); at = dirname(at), up += "/..") {
    folders.push(up);
    for (const entry of await entriesOf(dirname(at))) if (entry.isFile()) paths.push(`${up}/${entry.name}`);
  }
  return { paths, folders };
}

/** A folder that cannot be read, or has gone since, has no files for us. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readInside(base: string, path: string, limit: string): Promise<string | undefined> {
  const file = await realpath(join(base, path)).catch(() => undefined);
  if (file === undefined || !file.startsWith(limit + sep)) return undefined;
  return readPlain(file);
}

/** A pipe or a device in the file's place would never end: it is opened without waiting, and not read. */
async function readPlain(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await handle.stat().then((found) => (found.isFile() ? found : { size: Infinity }));
    if (size > largestFile) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString("utf8", 0, bytesRead).replace(/^\uFEFF/, "");
  } catch {
    return undefined; // gone since it was listed, or not ours to read
  }
}
