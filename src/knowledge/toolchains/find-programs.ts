/**
 * Where the program of a tool is, and which version it has: told by files alone, nothing is executed.
 *
 *   node_modules/.bin, .venv/bin, vendor/bin of the folder and of those above it -> PATH outside of the project
 */
import { accessSync, constants, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { Ecosystem, ToolDefinition } from "./tool-definition.ts";

export type FoundProgram = { readonly path: string; readonly isLocal: boolean; readonly version?: string | undefined };
export type FindProgram = (tool: ToolDefinition) => FoundProgram | undefined;
export type Programs = {
  find: FindProgram;
  /** On PATH, outside of the project. */
  onPath(program: string): string | undefined;
  /** The project's own virtual environment, relative. */
  readonly environment: string | undefined;
};
type Env = Readonly<Record<string, string | undefined>>;

const localFolders: Readonly<Partial<Record<Ecosystem, readonly string[]>>> = {
  npm: ["node_modules/.bin"],
  python: [".venv/bin", "venv/bin"],
  composer: ["vendor/bin"],
};
const largestVersionFile = 1_048_576;

/** `root` is the folder itself, `top` the repository around it: packages of a monorepo use what is installed above them. */
export function findPrograms(root: string, top: string, env: Env): Programs {
  const folders = foldersUpTo(root, top);
  const onPath = memoised((program: string) => findOnPath(program, env, top));
  return {
    onPath,
    environment: [".venv", "venv"].find((name) => isFile(join(root, name, "pyvenv.cfg"))),
    find(tool) {
      const program = tool.program ?? tool.name;
      for (const folder of folders)
        for (const place of localFolders[tool.ecosystem] ?? []) {
          const path = join(folder, place, program);
          if (isExecutable(path)) return { path, isLocal: true, version: versionIn(folder, tool) };
        }
      const path = onPath(program);
      return path === undefined ? undefined : { path, isLocal: false };
    },
  };
}

function foldersUpTo(root: string, top: string): readonly string[] {
  const folders = [root];
  for (let at = root; at !== top && at.startsWith(top + sep); at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** A folder of PATH inside of the project is the project's: what it holds is not trusted to be the tool. */
function findOnPath(program: string, { PATH = "" }: Env, top: string): string | undefined {
  if (program.includes("/")) return undefined;
  for (const folder of PATH.split(delimiter)) {
    if (!isAbsolute(folder) || folder === top || folder.startsWith(top + sep)) continue;
    const path = join(folder, program);
    if (isExecutable(path) && isBehindShim(folder, program)) return path;
  }
  return undefined;
}

/** Version managers put a stand-in for each program on PATH, also for versions that do not have it. */
function isBehindShim(folder: string, program: string): boolean {
  if (!folder.endsWith(`${sep}shims`)) return true;
  const versions = join(dirname(folder), "versions");
  if (!isFolder(versions)) return true;
  return entriesOf(versions).some((version) => isExecutable(join(versions, version, "bin", program)));
}

function versionIn(folder: string, { name, package: own = name, ecosystem }: ToolDefinition): string | undefined {
  if (ecosystem === "npm") return npmVersion(join(folder, "node_modules", own, "package.json"));
  if (ecosystem === "python") return pythonVersion(folder, own);
  return undefined;
}

function npmVersion(file: string): string | undefined {
  try {
    if (statSync(file).size > largestVersionFile) return undefined;
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version?: unknown };
    return typeof version === "string" ? version.slice(0, 50) : undefined;
  } catch {
    return undefined; // not there, or not JSON: the version is unknown
  }
}

/** Wheels leave a folder `pytest-8.3.3.dist-info` beside the package. */
function pythonVersion(folder: string, name: string): string | undefined {
  const wanted = name.toLowerCase().replaceAll(/[-_.]+/g, "_");
  for (const environment of [".venv", "venv"]) {
    const library = join(folder, environment, "lib");
    for (const python of entriesOf(library).filter((entry) => entry.startsWith("python")))
      for (const entry of entriesOf(join(library, python, "site-packages"))) {
        const [, found, version] = /^([\w.]+)-([\w.+!]+)\.dist-info$/.exec(entry) ?? [];
        if (found?.toLowerCase().replaceAll(/[-_.]+/g, "_") === wanted) return version;
      }
  }
  return undefined;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // none there
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return looked(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
  return looked(path)?.isDirectory() === true;
}

function looked(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a loop of links, or not ours to look at
  }
}

function memoised(find: (program: string) => string | undefined): typeof find {
  const known = new Map<string, string | undefined>();
  return (program) => {
    if (!known.has(program)) known.set(program, find(program));
    return known.get(program);
  };
}
