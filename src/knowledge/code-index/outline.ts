/** How a folder or a file is built: folders with how many files they have, files with how many symbols, a file's symbols. */
import { posix } from "node:path";
import { type CodeFile, type InputOf, invalidInput, type OutputOf } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { importsOfFile } from "./list-imports.ts";
import { symbolsIn } from "./list-symbols.ts";
import { type Answered, type FileRow, filesOf, type QuestionPorts, type View } from "./view.ts";

type Outline = Answered<Omit<OutputOf<"code.outline">, "about">>;

const rests = { provider: "syntax", confidence: "exact" } as const;
const mostCompared = 5_000;

export function outlineOf({ path, limit }: Pick<InputOf<"code.outline">, "path" | "limit">, view: View): Outline {
  const files = filesOf(view);
  const place = insideTree(path);
  const file = files.find((one) => one.path === place);
  if (file !== undefined) return outlineOfFile(file, limit, view);
  const below = place === "" ? files : files.filter((one) => one.path.startsWith(`${place}/`));
  if (below.length === 0 && place !== "")
    throw invalidInput("path", `no indexed file or folder is named "${path}"${suggestion(place, namesIn(files))}`);
  return outlineOfFolder(place, below, limit, view);
}

function namesIn(files: readonly FileRow[]): readonly string[] {
  return files.slice(0, mostCompared).map(({ path }) => path);
}

function outlineOfFile(file: FileRow, limit: number, view: View): Outline {
  const found = symbolsIn(view, { kind: "any", in: file.path, blob: file.blob }, limit + 1);
  return {
    path: file.path,
    folders: [],
    files: [{ ...viewFile(file), symbols: symbolCount(file, view) }],
    symbols: found.slice(0, limit),
    imports: importsOfFile(file.path, view),
    more: found.length > limit,
    rests,
  };
}

function outlineOfFolder(place: string, below: readonly FileRow[], limit: number, view: View): Outline {
  const folders = new Map<string, number>();
  const own: FileRow[] = [];
  const skipped = place === "" ? 0 : place.length + 1;
  for (const file of below) {
    const slash = file.path.indexOf("/", skipped);
    if (slash === -1) own.push(file);
    else folders.set(file.path.slice(0, slash), (folders.get(file.path.slice(0, slash)) ?? 0) + 1);
  }
  return {
    path: place === "" ? "." : place,
    folders: [...folders].slice(0, limit).map(([path, count]) => ({ path, files: count })),
    files: own.slice(0, limit).map((file) => ({ ...viewFile(file), symbols: symbolCount(file, view) })),
    symbols: [],
    imports: [],
    more: folders.size > limit || own.length > limit,
    rests,
  };
}

function symbolCount({ blob }: FileRow, { sql }: View): number {
  return sql.get("SELECT count(*) AS n FROM symbol WHERE blob = ?", blob)!.n as number;
}

export function viewFile({ path, language, lines }: FileRow): CodeFile {
  return { path, language, lines };
}

/** "" is the tree itself. */
export function insideTree(wanted: string): string {
  const path = posix.normalize(wanted).replace(/\/$/, "");
  if (posix.isAbsolute(path) || path === ".." || path.startsWith("../"))
    throw invalidInput("path", `"${wanted}" is outside the working tree; use a path relative to its root`);
  return path === "." ? "" : path;
}

export function listFiles(
  { pattern, limit }: Pick<InputOf<"code.files">, "pattern" | "limit">,
  view: View,
  { matcher }: Pick<QuestionPorts, "matcher">,
): Answered<{ items: CodeFile[]; more: boolean }> {
  const fits = matcher(pattern, "pattern");
  const found = filesOf(view).filter(({ path }) => fits(path));
  return { items: found.slice(0, limit).map(viewFile), more: found.length > limit, rests };
}
