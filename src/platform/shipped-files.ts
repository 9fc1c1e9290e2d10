/**
 * Files that are used as they are written: migrations, the live page, programs for other processes, prompts. Each lies beside
 * the code that uses it and is named by its path below `src`.
 *
 *   checkout: src/<path>      build: dist/files/<path> (scripts/build/collect-files.ts)
 *
 * A placeholder is `__NAME__`: an identifier in JavaScript and a word in sh, so linters and compilers read the file too.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const placeholder = /__([A-Z]+(?:_[A-Z]+)*)__/g;

export function readShippedFile(path: string): string {
  return readFileSync(join(folder(), path), "utf8");
}

/** The file itself, for a program that another process runs. */
export function shippedFile(path: string): string {
  return join(folder(), path);
}

/** The paths below a folder that end with one of the endings, sorted. */
export function listShippedFiles(below: string, endings: readonly string[]): readonly string[] {
  const names = readdirSync(join(folder(), below), { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => (below === "" ? name : join(below, name)).split(sep).join("/"));
  return paths.filter((path) => endings.some((ending) => path.endsWith(ending))).sort();
}

/** The file with every placeholder replaced. A placeholder without a value is a mistake, and so is the reverse. */
export function fillShippedFile(path: string, values: Readonly<Record<string, string>>): string {
  const text = readShippedFile(path);
  const named = new Set(Array.from(text.matchAll(placeholder), ([, name]) => name!));
  const missing = [...named].filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) throw new Error(`${path} has placeholders without a value: ${missing.join(", ")}`);
  const unknown = Object.keys(values).filter((name) => !named.has(name));
  if (unknown.length > 0) throw new Error(`${path} has no placeholder for: ${unknown.join(", ")}`);
  return text.replaceAll(placeholder, (_whole, name: string) => values[name]!);
}

/** The words for a model, without the newline at the end of the file. */
export function readPrompt(path: string, values: Readonly<Record<string, string>> = {}): string {
  return fillShippedFile(path, values).trimEnd();
}

/** Beside the bundle's entry or its chunks; in a checkout `src` itself. */
function folder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [join(here, "files"), join(here, "..", "files")].find((place) => existsSync(place));
  return built ?? join(here, "..");
}
