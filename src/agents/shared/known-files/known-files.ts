/**
 * The files of a tree that git knows, to be read and no more.
 *
 *   path -> inside? -> known to git? -> no link on the way -> opened, following none -> still the same file? -> text
 *
 * What git ignores is not shown: keys and built files lie there. Invariant: nothing outside of the tree is read.
 */
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { DomainError, invalidInput } from "../../../contract/index.ts";
import { suggestion } from "../../../platform/nearest-name.ts";
import type { ReadCache } from "./read-cache.ts";

export type KnownFiles = {
  /** Relative to the tree. */
  list(): Promise<readonly string[]>;
  read(path: string): Promise<KnownText>;
  /** One for each path; undefined where it is gone. Links are not followed. */
  facts(paths: readonly string[]): Promise<readonly (DiskFact | undefined)[]>;
};
/** `cached`: it was kept from an earlier question, and the file is still the same. */
export type KnownText = { readonly path: string; readonly text: string; readonly cached?: true };
export type DiskFact = { readonly isLink: boolean; readonly ageMs: number };
type ListFiles = (tree: string) => Promise<readonly string[]>;

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const largestFile = 2_000_000;
const mostCompared = 5_000;

export function knownFiles(tree: string, listFiles: ListFiles, now: () => number, cache?: ReadCache): KnownFiles {
  const list = () => listFiles(tree);
  return {
    list,
    facts: (paths) => Promise.all(paths.map((path) => factOf(join(tree, path), now()))),
    async read(wanted) {
      const path = insideTree(wanted);
      const known = await list();
      if (!known.includes(path)) {
        const near = suggestion(path, known.slice(0, mostCompared));
        throw invalid(`git knows no file "${wanted}" here${near}`);
      }
      return { path, ...(await readPlain(tree, path, wanted, cache)) };
    },
  };
}

async function factOf(place: string, now: number): Promise<DiskFact | undefined> {
  const found = await lstat(place).catch(() => undefined); // gone since git listed it
  return found === undefined ? undefined : { isLink: found.isSymbolicLink(), ageMs: Math.max(0, now - found.mtimeMs) };
}

/** The path in its plain form; "" is the tree itself. */
export function insideTree(wanted: string): string {
  const path = posix.normalize(wanted).replace(/\/$/, "");
  if (posix.isAbsolute(path) || path === ".." || path.startsWith("../") || path.includes("\0"))
    throw outside(`"${wanted}" is outside the working tree; use a path relative to its root`);
  return path === "." ? "" : path;
}

async function readPlain(tree: string, path: string, wanted: string, cache: ReadCache | undefined) {
  const place = join(await realpath(tree), path);
  const real = () =>
    realpath(place).catch((cause: unknown) => {
      throw invalid(`"${wanted}" is not there any more`, cause);
    });
  if ((await real()) !== place) throw outside(`"${wanted}" leads elsewhere through a link; name the file itself`);
  await using handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stats = await samePlainFile(handle, await real(), place, wanted);
  const kept = cache?.get(place, stats);
  if (kept === undefined && stats.size > largestFile)
    throw invalid(`"${wanted}" has ${stats.size} bytes; files over ${largestFile} are not read`);
  const text = kept ?? (await handle.readFile("utf8"));
  if (text.includes("\0")) throw invalid(`"${wanted}" is not a text file`);
  cache?.onRead(place, stats, text);
  return { text, ...(kept === undefined ? {} : { cached: true as const }) };
}

/** An agent in the tree may have put a link in its place meanwhile. */
async function samePlainFile(handle: FileHandle, real: string, place: string, wanted: string): Promise<BigIntStats> {
  const [opened, there] = [await handle.stat({ bigint: true }), await stat(real, { bigint: true })];
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
