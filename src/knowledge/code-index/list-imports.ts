/** Imports of the tree: which files import a package, a module or a file; and what one file imports. */
import { posix } from "node:path";
import type { CodeImport, InputOf } from "../../contract/index.ts";
import { resolveImport, type WrittenImport } from "./resolve-import.ts";
import { type TreePaths, treePathsOf } from "./tree-paths.ts";
import type { Answered, View } from "./view.ts";

type ImportRow = {
  readonly path: string;
  readonly language: string;
  readonly module: string;
  readonly names: string;
  readonly line: number;
};

export function listDependents(
  { module, limit }: Pick<InputOf<"code.dependents">, "module" | "limit">,
  view: View,
): Answered<{ items: CodeImport[]; more: boolean }> {
  const tree = treePathsOf(view);
  const place = posix.normalize(module).replace(/\/$/, "");
  const ofModule = tree.has(place) ? [] : importsNamed(module, view);
  const found = ofModule.length > 0 ? ofModule.map((row) => resolved(row, tree)) : importsInto(place, tree, view);
  return {
    items: found.slice(0, limit),
    more: found.length > limit,
    rests: { provider: "syntax", confidence: tree.has(place) ? "likely" : "exact" },
  };
}

/** Imports that mean a file, or files of a folder. */
function importsInto(place: string, tree: TreePaths, view: View): CodeImport[] {
  return importsOf(view).flatMap((row) => {
    const file = resolveImport(writtenOf(row), tree).find((path) => path === place || path.startsWith(`${place}/`));
    return file === undefined || row.path === place || row.path.startsWith(`${place}/`)
      ? []
      : [{ ...importOf(row), resolved: file }];
  });
}

export function importsOfFile(path: string, view: View): CodeImport[] {
  const tree = treePathsOf(view);
  return importsOf(view, path).map((row) => resolved(row, tree));
}

/** Of all files, or of one. */
export function importsOf({ sql, tree }: View, path?: string): readonly ImportRow[] {
  return sql.all(
    `SELECT p.text AS path, b.language, n.text AS module, i.names, i.line FROM import_of i
     JOIN tree_file f ON f.blob = i.blob AND f.tree = ? JOIN path p ON p.id = f.path JOIN blob b ON b.id = i.blob
     JOIN name n ON n.id = i.module ${path === undefined ? "" : "WHERE p.text = ?"} ORDER BY 1, i.ord`,
    tree,
    ...(path === undefined ? [] : [path]),
  ) as unknown as readonly ImportRow[];
}

/** A package with its own modules: `lodash` is also meant by `lodash/map`, `os` by `os.path`, `std` by `std::fs`. */
function importsNamed(module: string, { sql, tree }: View): readonly ImportRow[] {
  return sql.all(
    `SELECT p.text AS path, b.language, n.text AS module, i.names, i.line FROM name n JOIN import_of i ON i.module = n.id
     JOIN tree_file f ON f.blob = i.blob AND f.tree = ? JOIN path p ON p.id = f.path JOIN blob b ON b.id = i.blob
     WHERE n.text = ?1 OR n.text GLOB ?2 || '[/.:]*' ORDER BY 1, i.ord`
      .replaceAll("?1", "?")
      .replaceAll("?2", "?"),
    tree,
    module,
    module.replaceAll(/[[*?]/g, "[$&]"),
  ) as unknown as readonly ImportRow[];
}

export function writtenOf({ path, language, module, names }: ImportRow): WrittenImport {
  return { path, language, module, names: names === "" ? [] : names.split(",") };
}

function importOf(row: ImportRow): CodeImport {
  const { path, module, names } = writtenOf(row);
  return { path, line: row.line, module, names: [...names] };
}

function resolved(row: ImportRow, tree: TreePaths): CodeImport {
  const [file] = resolveImport(writtenOf(row), tree);
  return { ...importOf(row), ...(file === undefined ? {} : { resolved: file }) };
}
