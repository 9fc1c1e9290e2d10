/**
 * Which file of the tree an import means, as far as its words and the tree's paths tell: relative modules, packages of the
 * tree by path, headers. Undefined for what lies outside of the tree or cannot be known without the language's own tools.
 */
import { posix } from "node:path";

/** Endings that a module's name may leave out, and the file that stands for a folder. */
const endings: Readonly<Record<string, readonly string[]>> = {
  script: ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".d.ts"],
  python: [".py", ".pyi", "/__init__.py"],
  rust: [".rs", "/mod.rs"],
  ruby: ["", ".rb"],
};
const folderFiles = ["index.ts", "index.tsx", "index.js", "index.mjs", "index.jsx"];
const scripts: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript", "jsx", "vue", "svelte"]);

export function resolveImport(
  module: string,
  { path, language }: { readonly path: string; readonly language: string },
  has: (path: string) => boolean,
): string | undefined {
  const folder = posix.dirname(path);
  const inTree = (place: string): string | undefined => {
    const plain = posix.normalize(place);
    return plain.startsWith("..") || !has(plain) ? undefined : plain;
  };
  if (scripts.has(language)) return module.startsWith(".") ? scriptFile(posix.join(folder, module), inTree) : undefined;
  if (language === "python") return pythonFile(module, folder, inTree);
  if (language === "rust") return rustFile(module, path, inTree);
  if (language === "go" || language === "java") return undefined;
  const near = inTree(posix.join(folder, module)) ?? inTree(module);
  return (
    near ?? (language === "ruby" ? first(endings.ruby!, (end) => inTree(posix.join(folder, module + end))) : undefined)
  );
}

type InTree = (place: string) => string | undefined;

/** `./a.js` may be written for `./a.ts`. */
function scriptFile(place: string, inTree: InTree): string | undefined {
  const asWritten = first(endings.script!, (end) => inTree(place + end));
  if (asWritten !== undefined) return asWritten;
  const source = place.replace(/\.(c|m)?js(x?)$/, ".$1ts$2");
  return (
    (source === place ? undefined : inTree(source)) ?? first(folderFiles, (name) => inTree(posix.join(place, name)))
  );
}

function pythonFile(module: string, folder: string, inTree: InTree): string | undefined {
  const dots = /^\.*/.exec(module)![0].length;
  const rest = module.slice(dots).replaceAll(".", "/");
  const bases =
    dots === 0 ? ["", "src", folder] : [posix.join(folder, ...Array.from({ length: dots - 1 }, () => ".."))];
  return first(bases, (base) =>
    rest === ""
      ? inTree(posix.join(base, "__init__.py"))
      : first(endings.python!, (end) => inTree(posix.join(base, rest) + end)),
  );
}

function rustFile(module: string, path: string, inTree: InTree): string | undefined {
  const [head = "", ...names] = module.split("::");
  const folder = posix.dirname(path);
  const isRoot = /(?:^|\/)(?:main|lib|mod)\.rs$/.test(path);
  const own = isRoot ? folder : path.replace(/\.rs$/, "");
  const bases =
    head === "crate"
      ? [path.includes("src/") ? path.slice(0, path.indexOf("src/") + 3) : folder]
      : head === "self"
        ? [own]
        : head === "super"
          ? [posix.dirname(own)]
          : [];
  const tries = names.map((_, index) => names.slice(0, names.length - index).join("/"));
  return first(bases, (base) =>
    first(tries, (rest) => first(endings.rust!, (end) => inTree(posix.join(base, rest) + end))),
  );
}

function first<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
