/** The paths of a tree as imports see them: files, files of a folder, files of a name, and the Go modules that it defines. */
import { posix } from "node:path";
import { filesOf, type View } from "./view.ts";

export type TreePaths = {
  has(path: string): boolean;
  filesIn(folder: string): readonly string[];
  /** Folders whose last parts are these. */
  foldersEnding(parts: string): readonly string[];
  /** `name` without folders. */
  named(name: string): readonly string[];
  readonly goModules: readonly { readonly folder: string; readonly module: string }[];
};

export function treePathsOf(view: View): TreePaths {
  const paths = filesOf(view).map(({ path }) => path);
  const all = new Set(paths);
  const folders = Map.groupBy(paths, (path) => posix.dirname(path));
  const names = Map.groupBy(paths, (path) => posix.basename(path));
  return {
    has: (path) => all.has(path),
    filesIn: (folder) => folders.get(folder) ?? [],
    foldersEnding: (parts) => [...folders.keys()].filter((folder) => `/${folder}`.endsWith(`/${parts}`)),
    named: (name) => names.get(name) ?? [],
    goModules: goModulesOf(view, names.get("go.mod") ?? []),
  };
}

function goModulesOf({ sql, tree }: View, files: readonly string[]): TreePaths["goModules"] {
  if (files.length === 0) return [];
  const rows = sql.all(
    `SELECT p.text AS path, s.signature FROM name n CROSS JOIN symbol s ON s.name = n.id
     CROSS JOIN tree_file f ON f.blob = s.blob AND f.tree = ? CROSS JOIN path p ON p.id = f.path
     WHERE n.text = 'module' AND s.kind = 'config'`,
    tree,
  );
  const known = new Set(files);
  return rows
    .filter(({ path }) => known.has(path as string))
    .map(({ path, signature }) => ({
      folder: posix.dirname(path as string),
      module: (signature as string).replace(/^module\s+/, "").trim(),
    }));
}
