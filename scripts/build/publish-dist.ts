/**
 * Writes a finished bundle into dist so that every moment in between is a working dist: chunks first, entries by
 * rename, leftovers last. Chunk names carry their content's hash, so an old entry never meets a new chunk.
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A process that started from an earlier build may still import its chunks lazily. */
const KEEP_OLD_CHUNKS_MS = 24 * 60 * 60 * 1000;

export function publishDist(
  dist: string,
  files: ReadonlyMap<string, Uint8Array>,
  options: { removeOld: boolean },
): void {
  const chunksFirst = [...files.keys()].toSorted(
    (a, b) => Number(b.startsWith("chunks/")) - Number(a.startsWith("chunks/")),
  );
  for (const path of chunksFirst) replaceFile(join(dist, path), files.get(path)!);
  removeLeftovers(dist, files, options.removeOld);
}

function replaceFile(file: string, content: Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(content)) {
    const now = new Date();
    utimesSync(file, now, now); // "last seen in a build": decides when a leftover is old
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

function removeLeftovers(dist: string, files: ReadonlyMap<string, Uint8Array>, all: boolean): void {
  const oldest = Date.now() - KEEP_OLD_CHUNKS_MS;
  for (const path of globSync("**/*", { cwd: dist, exclude: (path) => path.startsWith("types") })) {
    const file = join(dist, path);
    if (files.has(path) || path === ".build-stamp" || !statSync(file).isFile()) continue;
    // A migration that is gone from the sources would still be applied: it cannot wait.
    if (all || path.startsWith("files/") || statSync(file).mtimeMs < oldest) rmSync(file);
  }
}
