/** Names in a small tar or zip archive, packed or not. Undefined for what is not one, or is too large to be looked into. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const mostBytes = 1024 * 1024;
const mostNames = 1000;
const block = 512;

export function namesInArchive(path: string): readonly string[] | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b)
      return namesInTar(gunzipSync(bytes, { maxOutputLength: 4 * mostBytes }));
    if (bytes.subarray(0, 2).toString("latin1") === "PK") return namesInZip(bytes);
    return namesInTar(bytes);
  } catch {
    return undefined; // not an archive after all
  }
}

function bytesOf(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const buffer = Buffer.alloc(stats.size);
    return buffer.subarray(0, readSync(fd, buffer, 0, stats.size, 0));
  } catch {
    return undefined; // not there, or not ours to read
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A header of 512 bytes for each member: name, size in octal, `ustar`, and the head of a long name. */
function namesInTar(bytes: Buffer): readonly string[] | undefined {
  const names: string[] = [];
  for (let at = 0; at + block <= bytes.length && names.length < mostNames;) {
    const header = bytes.subarray(at, at + block);
    if (header[0] === 0) break;
    if (header.subarray(257, 262).toString("latin1") !== "ustar") return undefined;
    const head = textIn(header, 345, 155);
    const kind = String.fromCharCode(header[156]!);
    const size = Number.parseInt(textIn(header, 124, 12).trim() || "0", 8);
    if (!Number.isSafeInteger(size)) return undefined;
    if (kind === "L" || kind === "x" || kind === "g") return undefined; // long names: not followed
    names.push(head === "" ? textIn(header, 0, 100) : `${head}/${textIn(header, 0, 100)}`);
    at += block + Math.ceil(size / block) * block;
  }
  return names.length < mostNames ? names : undefined;
}

function textIn(bytes: Buffer, at: number, length: number): string {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return part.subarray(0, end === -1 ? length : end).toString("utf8");
}

/** The directory at the end: an entry for each member. */
function namesInZip(bytes: Buffer): readonly string[] | undefined {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end === -1) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const names: string[] = [];
  for (let at = bytes.readUInt32LE(end + 16); names.length < count;) {
    if (names.length >= mostNames || bytes.readUInt32LE(at) !== 0x02014b50) return undefined;
    const [name, extra, comment] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    names.push(bytes.subarray(at + 46, at + 46 + name).toString("utf8"));
    at += 46 + name + extra + comment;
  }
  return names;
}
