/**
 * The files of a tree that git knows, to be read and no more.
 *
 *   path -> inside? -> known to git? -> no link on the way -> opened, following none -> still the same file? -> text
 *
 * What git ignores is not shown: keys and built files lie there. Invariant: nothing outside of the tree is read.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { DomainError, invalidInput } from "../../../contract/index.ts";
import { suggestion } from "../../../platform/nearest-name.ts";

export type KnownFiles = {
  /** Relative to the tree. */
  list(): Promise<readonly string[]>;
  read(path: string): Promise<{ readonly path: string; readonly text: string }>;
};
type ListFiles = (tree: string) => Promise<readonly string[]>;

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const largestFile = 2_000_000;
const mostCompared = 5_000;

export function knownFiles(tree: string, listFiles: ListFiles): KnownFiles {
  const list = () => listFiles(tree);
  return {
    list,
    async read(wanted) {
      const path = insideTree(wanted);
      const known = await list();
      if (!known.includes(path)) {
        const near = suggestion(path, known.slice(0, mostCompared));
        throw invalid(`git knows no file "${wanted}" here${near}`);
      }
      return { path, text: await readPlain(tree, path, wanted) };
    },
  };
}

/** The path in its plain form; "" is the tree itself. */
export function insideTree(wanted: string): string {
  const path = posix.normalize(wanted).replace(/\/$/, "");
  if (posix.isAbsolute(path) || path === ".." || path.startsWith("../") || path.includes("\0"))
    throw outside(`"${wanted}" is outside the working tree; use a path relative to its root`);
  return path === "." ? "" : path;
}

async function readPlain(tree: string, path: string, wanted: string): Promise<string> {
  const place = join(await realpath(tree), path);
  const real = () =>
    realpath(place).catch((cause: unknown) => {
      throw invalid(`"${wanted}" is not there any more`, cause);
    });
  if ((await real()) !== place) throw outside(`"${wanted}" leads elsewhere through a link; name the file itself`);
  await using handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const { size } = await samePlainFile(handle, await real(), place, wanted);
  if (size > largestFile) throw invalid(`"${wanted}" has ${size} bytes; files over ${largestFile} are not read`);
  const text = await handle.readFile("utf8");
  if (text.includes("\0")) throw invalid(`"${wanted}" is not a text file`);
  return text;
}

/** An agent in the tree may have put a link in its place meanwhile. */
async function samePlainFile(handle: FileHandle, real: string, place: string, wanted: string) {
  const [opened, there] = [await handle.stat(), await stat(real)];
  if (!opened.isFile()) throw invalid(`"${wanted}" is not a plain file`);
  if (real !== place || opened.ino !== there.ino || opened.dev !== there.dev)
    throw outside(`"${wanted}" became another file meanwhile; look at it again`);
  return opened;
}

function outside(message: string): DomainError {
  return new DomainError("caller.denied", message, { details: { needed: "a path inside its own tree" } });
}

function invalid(message: string, cause?: unknown): DomainError {
  return invalidInput("path", message, { sentence: message, cause });
}
