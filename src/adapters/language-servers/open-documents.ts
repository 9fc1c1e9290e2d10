/**
 * The files that a server was told of: their text is the disk's, told again before each question where it has changed.
 *
 *   first question about a file -> didOpen, version 1     changed on the disk -> didChange, next version     too many -> didClose
 */
import { createHash } from "node:crypto";
import { lstat, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { languageIdOf, type ServerDefinition } from "./known-servers.ts";
import type { Connection } from "./open-connection.ts";
import { ServerFailure } from "./server-failure.ts";

export type OpenDocument = { readonly uri: string; readonly text: string };
type Known = { version: number; hash: string; stamp: string };

const mostOpen = 30;
const maxBytes = 4 * 1_048_576;

/** `tree` has no links in it. */
export function createDocuments(connection: Connection, tree: string, definition: ServerDefinition) {
  /** By place on the disk, the latest asked last. */
  const open = new Map<string, Known>();

  async function sync(place: string): Promise<OpenDocument> {
    const uri = pathToFileURL(place).href;
    const known = open.get(place);
    const { text, stamp } = await readText(place);
    const hash = createHash("sha1").update(text).digest("base64");
    if (known === undefined) {
      open.set(place, { version: 1, hash, stamp });
      connection.reports.expect(uri);
      const languageId = languageIdOf(place, definition);
      connection.tell("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    } else {
      known.stamp = stamp;
      open.delete(place);
      open.set(place, known);
      if (known.hash === hash) return { uri, text };
      known.hash = hash;
      known.version += 1;
      connection.reports.expect(uri);
      const textDocument = { uri, version: known.version };
      connection.tell("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    }
    return { uri, text };
  }

  function close(place: string): void {
    const uri = pathToFileURL(place).href;
    open.delete(place);
    connection.reports.forget(uri);
    connection.tell("textDocument/didClose", { textDocument: { uri } });
  }

  return {
    /** The file as it is on the disk now, with all others that are open. */
    async open(path: string): Promise<OpenDocument> {
      const place = await placeIn(tree, path);
      const others = [...open].filter(([other]) => other !== place); // telling one changes the order
      for (const [other, { stamp }] of others) {
        if ((await stampOf(other)) === stamp) continue;
        await sync(other).catch(() => close(other)); // it is gone, or not to be read any more
      }
      const document = await sync(place);
      for (const [oldest] of [...open].slice(0, Math.max(0, open.size - mostOpen))) close(oldest);
      return document;
    },
  };
}
export type Documents = ReturnType<typeof createDocuments>;

/** A file of the tree; a link that leads out of it is not. */
async function placeIn(tree: string, path: string): Promise<string> {
  const place = await realpath(join(tree, path)).catch((cause: unknown) => {
    throw new ServerFailure(`${path} cannot be read`, "unfit", cause);
  });
  if (!place.startsWith(tree + sep)) throw new ServerFailure(`${path} is outside the tree`, "unfit");
  return place;
}

async function stampOf(place: string): Promise<string> {
  const stats = await lstat(place, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "gone" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

async function readText(place: string): Promise<{ readonly text: string; readonly stamp: string }> {
  const stamp = await stampOf(place);
  const stats = await lstat(place);
  if (!stats.isFile()) throw new ServerFailure(`${place} is not a plain file`, "unfit");
  if (stats.size > maxBytes) throw new ServerFailure(`${place} is larger than 4 MB`, "unfit");
  return { text: await readFile(place, "utf8"), stamp };
}
