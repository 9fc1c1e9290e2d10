/** Imports of the tree: which files import a package, a module or a file; and what one file imports. */
import { posix } from "node:path";
import type { CodeImport, InputOf } from "../../contract/index.ts";
import { resolveImport } from "./resolve-import.ts";
import { type Answered, filesOf, type View } from "./view.ts";

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
  const files = new Set(filesOf(view).map(({ path }) => path));
  const file = posix.normalize(module);
  const isFile = files.has(file);
  const rows = isFile ? importsOf(view) : importsNamed(module, view);
  const found = rows.map((row) => resolved(row, files)).filter((one) => !isFile || one.resolved === file);
  return {
    items: found.slice(0, limit),
    more: found.length > limit,
    rests: { provider: "syntax", confidence: isFile ? "likely" : "exact" },
  };
}

export function importsOfFile(path: string, view: View): CodeImport[] {
  const files = new Set(filesOf(view).map((file) => file.path));
  return importsOf(view, path).map((row) => resolved(row, files));
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

function resolved({ path, language, module, names, line }: ImportRow, files: ReadonlySet<string>): CodeImport {
  const file = resolveImport(module, { path, language }, (place) => files.has(place));
  return {
    path,
    line,
    module,
    names: names === "" ? [] : names.split(","),
    ...(file === undefined ? {} : { resolved: file }),
  };
}
