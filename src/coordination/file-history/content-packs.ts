/**
 * Contents on the disk: compressed, several in one file (a pack), because a thousand files changed at once must not cost a
 * thousand syncs.
 *
 *   contents -> deflate -> <home>/file-history/<name>.pack, 0600 -> fsync of the file and its folder -> where each lies
 *
 * A pack is written once and never changed. One that no row names was left by a crash, and is removed at the next start.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import type { ContentPlace } from "./store.ts";

export type ContentPacks = {
  /** Durable when it resolves. */
  write(contents: ReadonlyMap<string, Buffer>): Promise<{ readonly bytes: number; readonly places: ContentPlace[] }>;
  /** Undefined where it is gone or damaged. */
  read(place: ContentPlace): Promise<Buffer | undefined>;
  /** Removes every pack but these. */
  keepOnly(names: ReadonlySet<string>): Promise<void>;
};

const compress = promisify(deflateRaw);
const level = 3;
/** Up to this size the thread pool costs more than the work. */
const smallBytes = 128 * 1_024;
/** Compressed at a stretch before others are answered: some milliseconds. */
const stretchBytes = 256 * 1_024;
const decompress = promisify(inflateRaw);
const ending = ".pack";

export function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

export function createContentPacks(folder: string): ContentPacks {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async write(contents) {
      const pack = randomUUID();
      const parts = await compressAll(contents);
      const places: ContentPlace[] = [];
      let bytes = 0;
      for (const { hash, content, stored } of parts) {
        places.push({ hash, pack, start: bytes, stored: stored.length, bytes: content.length });
        bytes += stored.length;
      }
      const file = await open(join(folder, pack + ending), "wx", 0o600);
      try {
        await file.writeFile(Buffer.concat(parts.map(({ stored }) => stored)));
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(folder);
      return { bytes, places };
    },
    async read({ pack, start, stored, hash }) {
      const file = await open(join(folder, pack + ending), "r").catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // it is there, so its contents are not gone
      });
      if (file === undefined) return undefined;
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(stored), 0, stored, start);
        if (bytesRead !== stored) return undefined;
        const content = await decompress(buffer);
        return hashOf(content) === hash ? content : undefined;
      } catch {
        return undefined; // damaged: said to be gone, never handed out
      } finally {
        await file.close();
      }
    },
    async keepOnly(names) {
      for (const name of await readdir(folder))
        if (!names.has(name.slice(0, -ending.length))) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}

type Part = { readonly hash: string; readonly content: Buffer; readonly stored: Buffer };

async function compressAll(contents: ReadonlyMap<string, Buffer>): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let stretch = 0;
  for (const [hash, content] of contents) {
    const isSmall = content.length <= smallBytes;
    parts.push({
      hash,
      content,
      stored: isSmall ? deflateRawSync(content, { level }) : await compress(content, { level }),
    });
    stretch += content.length;
    if (stretch < stretchBytes) continue;
    stretch = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return parts;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
