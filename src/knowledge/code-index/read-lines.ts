/** Lines of files of a tree, each file read once. */
import { isAbsolute, normalize } from "node:path";
import { readDisk } from "./read-disk.ts";

const maxBytes = 4 * 1_048_576;
const longestLine = 400;

export function createLineReader(tree: string) {
  const files = new Map<string, Promise<readonly string[] | undefined>>();
  const linesOf = (path: string): Promise<readonly string[] | undefined> => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const read = readLines(tree, path);
    files.set(path, read);
    return read;
  };
  return {
    /** Undefined: not a file of the tree that can be read. */
    linesOf,
    /** As it is shown: empty where there is none. */
    lineOf: async (path: string, line: number): Promise<string> =>
      ((await linesOf(path))?.[line - 1] ?? "").trim().slice(0, longestLine),
  };
}
export type LineReader = ReturnType<typeof createLineReader>;

async function readLines(tree: string, path: string): Promise<readonly string[] | undefined> {
  const plain = normalize(path);
  if (isAbsolute(plain) || plain === ".." || plain.startsWith("../")) return undefined;
  const found = await readDisk(tree, plain, maxBytes);
  return found.state === "read" ? found.bytes.toString("utf8").split(/\r?\n/) : undefined;
}

/** The name at a column, which counts from 1; also directly behind it, where a cursor is after typing. */
export function nameAt(line: string, column: number): string | undefined {
  const names = [...line.matchAll(/[\p{L}\p{N}_$]+/gu)];
  return names.find(({ 0: name, index }) => index <= column - 1 && column - 1 <= index + name.length)?.[0];
}
