/**
 * Opens the very file that a path of the model's was confined to.
 *
 *   confine -> open, following no link, waiting for no pipe -> confine again: still the same plain file? -> use it
 *
 * Commands of the run work in the same tree: what was a file when it was looked at may be a link out of the tree by now.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { confinedPath, OutOfBounds } from "./confined-path.ts";

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
const largestFile = 10_000_000;

export async function readConfined(tree: string, path: string): Promise<string> {
  await using handle = await openSame(tree, path, O_RDONLY);
  return await textOf(handle, path);
}

/** `change` gets the text that is there, which is empty for a new file; nothing is written when it throws. */
export async function writeConfined(
  tree: string,
  path: string,
  { create, change }: { readonly create: boolean; readonly change: (text: string) => string },
): Promise<void> {
  if (create) await mkdir(dirname((await confinedPath(tree, path)).file), { recursive: true });
  await using found = await openSame(tree, path, O_RDWR | (create ? O_CREAT : 0));
  const { nlink, mode } = await found.stat();
  const content = change(create ? "" : await textOf(found, path));
  if (nlink === 1) return await replaceContent(found, content);
  // Its other name may be outside of the tree: only this one gets the new content.
  await unlink((await confinedPath(tree, path)).file);
  await using fresh = await openSame(tree, path, O_RDWR | O_CREAT);
  await fresh.chmod(mode & 0o777);
  await replaceContent(fresh, content);
}

async function openSame(tree: string, path: string, flags: number): Promise<FileHandle> {
  const { file } = await confinedPath(tree, path);
  const handle = await open(file, flags | O_NOFOLLOW | O_NONBLOCK);
  try {
    const [opened, there] = [await handle.stat(), await stat((await confinedPath(tree, path)).file)];
    if (!opened.isFile()) throw new OutOfBounds(`"${path}" is not a plain file`);
    if (opened.ino !== there.ino || opened.dev !== there.dev)
      throw new OutOfBounds(`"${path}" became another file meanwhile; look at it again`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function textOf(handle: FileHandle, path: string): Promise<string> {
  const { size } = await handle.stat();
  if (size > largestFile) throw new Error(`${path} has ${size} bytes; files over ${largestFile} are not read`);
  return handle.readFile("utf8");
}

async function replaceContent(handle: FileHandle, content: string): Promise<void> {
  await handle.truncate(0);
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
}
