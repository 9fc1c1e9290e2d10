/**
 * Reads one settings file as a layer.
 *
 *   path -> open without blocking -> regular file, size, UTF-8 -> parse-settings-yaml -> values + problems
 *
 * A missing file is an empty layer. Everything else that is wrong with a file is a problem that names it;
 * nothing is skipped in silence.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative } from "node:path";
import type { SettingLayer } from "./check-value.ts";
import type { SettingScope } from "./settings.ts";

const MAX_BYTES = 32 * 1024;

const emptyLayer: SettingLayer = { values: new Map(), problems: [] };

/** `scope` "daemon" reads the user's own file, which may hold everything; "project" a repository's. */
export async function readSettingsFile(file: string, scope: SettingScope): Promise<SettingLayer> {
  let text: string | undefined;
  try {
    if (scope === "project") await refuseWayOut(file);
    text = await readSmallText(file);
  } catch (cause) {
    return refused(file, reasonOf(cause));
  }
  if (text === undefined) return emptyLayer;
  return readSettingsText(text, file, scope);
}

/** Of a file that is not on the disk, such as that of a commit. */
export async function readSettingsText(text: string, file: string, scope: SettingScope): Promise<SettingLayer> {
  if (Buffer.byteLength(text) > MAX_BYTES) return refused(file, `is larger than ${MAX_BYTES / 1024} KB`);
  const { parseSettingsYaml } = await import("./parse-settings-yaml.ts");
  return { ...parseSettingsYaml(text, file, scope), digest: createHash("sha256").update(text).digest("hex") };
}

/** A link to a file elsewhere would show its lines in a refusal, and is not the repository's own. */
async function refuseWayOut(file: string): Promise<void> {
  const real = await realpath(file).catch(() => undefined); // absent, or refused when it is opened
  if (real === undefined) return;
  const path = relative(await realpath(dirname(dirname(file))), real);
  if (path.startsWith("..") || isAbsolute(path)) throw new Unreadable("is a link that leads out of the repository");
}

/** Not blocking on open: a named pipe in a cloned repository must not hang the daemon. */
async function readSmallText(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  });
  if (!handle) return undefined;
  try {
    if (!(await handle.stat()).isFile()) throw new Unreadable("is not a regular file");
    return decode(await readAtMost(handle, MAX_BYTES));
  } finally {
    await handle.close();
  }
}

/** Counts what is read instead of believing the size, which is 0 for files of /proc and may grow. */
async function readAtMost(handle: FileHandle, limit: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(limit + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  throw new Unreadable(`is larger than ${limit / 1024} KB`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Unreadable("is not UTF-8 text", { cause });
  }
}

class Unreadable extends Error {}

function reasonOf(cause: unknown): string {
  if (cause instanceof Unreadable) return cause.message;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "may not be read by this user";
  return `cannot be read: ${code ?? message}`;
}

function refused(file: string, reason: string): SettingLayer {
  return {
    values: new Map(),
    problems: [{ where: file, message: reason, allowed: `a readable YAML file of at most ${MAX_BYTES / 1024} KB` }],
  };
}
