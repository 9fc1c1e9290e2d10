/** Reads an index from the disk part by part: a large one is never in memory as a whole. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ScipRefused, varintAt } from "./read-fields.ts";

export type ScipLimits = {
  /** Of the file. */
  readonly maxBytes: number;
  /** Of one document in it. */
  readonly maxPartBytes: number;
};
export type ScipPart = { readonly number: number; readonly bytes: Uint8Array };

const headBytes = 20;
const bytesKind = 2;

export async function* readIndexFile(file: string, { maxBytes, maxPartBytes }: ScipLimits): AsyncGenerator<ScipPart> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new ScipRefused(`${file} cannot be read: ${(cause as Error).message}`, cause);
  });
  const stats = await handle.stat();
  if (!stats.isFile()) throw new ScipRefused(`${file} is not a file`);
  if (stats.size > maxBytes) throw new ScipRefused(`${file} is larger than ${mib(maxBytes)} MB`);
  for (let at = 0; at < stats.size;) {
    const head = await read(handle, at, Math.min(headBytes, stats.size - at), file);
    const tag = varintAt(head, 0);
    if (tag.value % 8 !== bytesKind) throw new ScipRefused(`${file} is not a SCIP index`);
    const { value: length, next } = varintAt(head, tag.next);
    if (length > maxPartBytes) throw new ScipRefused(`${file} has a document larger than ${mib(maxPartBytes)} MB`);
    if (at + next + length > stats.size) throw new ScipRefused(`${file} is cut off; make it again`);
    yield { number: Math.floor(tag.value / 8), bytes: await read(handle, at + next, length, file) };
    at += next + length;
  }
}

async function read(handle: FileHandle, at: number, length: number, file: string): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new ScipRefused(`${file} became shorter while it was read; import it again`);
  return buffer;
}

function mib(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
