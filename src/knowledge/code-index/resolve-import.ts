/**
 * Which files of the tree an import means, as far as its words and the tree's paths tell: relative modules, packages of the
 * tree by path, Go packages by the module of a go.mod, classes by their package's folders, headers. None for what lies
 * outside of the tree or cannot be known without the language's own tools.
 */
import { posix } from "node:path";
import type { TreePaths } from "./tree-paths.ts";

export type WrittenImport = {
  /** The file that it is written in. */
  readonly path: string;
  readonly language: string;
  readonly module: string;
  /** What it takes from the module; a name may be a module of its own. */
  readonly names: readonly string[];
};

/** Endings that a module's name may leave out, and the file that stands for a folder. */
const endings = {
  script: ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".d.ts"],
  python: [".py", ".pyi", "/__init__.py"],
  rust: [".rs", "/mod.rs"],
  ruby: ["", ".rb"],
  class: [".java", ".kt"],
} as const;
const folderFiles = ["index.ts", "index.tsx", "index.js", "index.mjs", "index.jsx"];
const scripts: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript", "jsx", "vue", "svelte"]);

export function resolveImport(written: WrittenImport, tree: TreePaths): readonly string[] {
  const { path, language, module } = written;
  const folder = posix.dirname(path);
  const inTree: InTree = (place) => {
    const plain = posix.normalize(place);
    return plain.startsWith("..") || !tree.has(plain) ? undefined : plain;
  };
  if (scripts.has(language)) return module.startsWith(".") ? some(scriptFile(posix.join(folder, module), inTree)) : [];
  if (language === "python") return pythonFiles(written, inTree);
  if (language === "rust") return rustFiles(written, inTree);
  if (language === "go") return goFiles(module, tree);
  if (language === "java" || language === "kotlin") return classFiles(written, tree);
  const place = language === "bash" ? module.replace(/^\$(?:\([^/]*\)|\{[^}]*\}|\w+)\//, "") : module;
  const bases = language === "ruby" ? [folder, "", "lib"] : [folder, "", "include"];
  const ends = language === "ruby" ? endings.ruby : [""];
  return some(first(bases, (base) => first(ends, (end) => inTree(posix.join(base, place) + end))));
}

type InTree = (place: string) => string | undefined;

/** `./a.js` may be written for `./a.ts`. */
function scriptFile(place: string, inTree: InTree): string | undefined {
  const asWritten = first(endings.script, (end) => inTree(place + end));
  if (asWritten !== undefined) return asWritten;
  const source = place.replace(/\.(c|m)?js(x?)$/, ".$1ts$2");
  return (
    (source === place ? undefined : inTree(source)) ?? first(folderFiles, (name) => inTree(posix.join(place, name)))
  );
}

/** `from . import money` means money.py, `from .money import rate` too. */
function pythonFiles({ module, names, path }: WrittenImport, inTree: InTree): readonly string[] {
  const folder = posix.dirname(path);
  const dots = /^\.*/.exec(module)![0].length;
  const rest = module.slice(dots).replaceAll(".", "/");
  const bases =
    dots === 0 ? ["", "src", folder] : [posix.join(folder, ...Array.from({ length: dots - 1 }, () => ".."))];
  const file = (place: string): string | undefined => first(endings.python, (end) => inTree(place + end));
  const ofNames = names.flatMap((name) => some(first(bases, (base) => file(posix.join(base, rest, name)))));
  if (ofNames.length > 0 && ofNames.length === names.length) return ofNames;
  const own = first(bases, (base) =>
    rest === "" ? inTree(posix.join(base, "__init__.py")) : file(posix.join(base, rest)),
  );
  return [...ofNames, ...some(own)];
}

/** `mod tax;` and `use tax::rate` mean a file beside, `crate::` one from the crate's root. */
function rustFiles({ module, names, path }: WrittenImport, inTree: InTree): readonly string[] {
  const [head = "", ...below] = module.split("::");
  const folder = posix.dirname(path);
  const isRoot = /(?:^|\/)(?:main|lib|mod)\.rs$/.test(path);
  const own = isRoot ? folder : path.replace(/\.rs$/, "");
  const crate = path.includes("src/") ? path.slice(0, path.indexOf("src/") + 3) : folder;
  const known: Readonly<Record<string, string>> = { crate, self: own, super: posix.dirname(own) };
  const base = known[head] ?? own;
  const parts = known[head] === undefined ? [head, ...below] : below;
  const file = (place: readonly string[]): string | undefined =>
    place.length === 0 ? undefined : first(endings.rust, (end) => inTree(posix.join(base, ...place) + end));
  const ofNames = names.flatMap((name) => some(file([...parts, name])));
  if (ofNames.length > 0 && ofNames.length === names.length) return ofNames;
  // The last words may be types or functions in the file.
  const tries = parts.map((_, index) => parts.slice(0, parts.length - index));
  return [...ofNames, ...some(first(tries, file))];
}

/** A package is a folder: all its files but the tests. */
function goFiles(module: string, { goModules, filesIn }: TreePaths): readonly string[] {
  const own = goModules
    .filter((one) => module === one.module || module.startsWith(`${one.module}/`))
    .sort((a, b) => b.module.length - a.module.length)[0];
  if (own === undefined) return [];
  const folder = posix.join(own.folder, module.slice(own.module.length + 1));
  return filesIn(folder).filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
}

/** `com.shop: Order` is com/shop/Order.java below some source folder; a nested or static name is in its class's file. */
function classFiles({ module, names, path }: WrittenImport, tree: TreePaths): readonly string[] {
  const place = module.replaceAll(".", "/");
  const files = (wanted: string): readonly string[] =>
    endings.class
      .flatMap((end) => tree.named(posix.basename(wanted) + end))
      .filter((found) => `/${found.replace(/\.\w+$/, "")}`.endsWith(`/${wanted}`));
  const nearest = (found: readonly string[]): readonly string[] =>
    [...found].sort((a, b) => shared(b, path) - shared(a, path)).slice(0, 1);
  if (names.includes("*")) {
    const ofClass = files(place);
    if (ofClass.length > 0) return nearest(ofClass);
    return tree
      .foldersEnding(place)
      .flatMap((folder) => tree.filesIn(folder).filter((file) => /\.(java|kt)$/.test(file)));
  }
  const ofNames = names.flatMap((name) => nearest(files(`${place}/${name}`)));
  return ofNames.length > 0 ? ofNames : nearest(files(place));
}

/** How much of their paths two files share. */
function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function some(found: string | undefined): readonly string[] {
  return found === undefined ? [] : [found];
}

function first<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
