/**
 * One content, read and parsed: the work of a parse thread.
 *
 *   file on the disk -> hash as git's -> the one wanted? -> text? -> facts, words
 *                                     -> no: git's own copy of the content, where git has it
 *
 * The content's hash is always checked against what is parsed: facts never stand under another content's hash.
 */
import { blobHash, kindOfHash } from "./blob-hash.ts";
import type { FileFacts, Syntax } from "./facts.ts";
import { wordsOfCode } from "./identifier-words.ts";
import type { ParsedContent, ParseReply, ParseRequest } from "./ports.ts";
import { readDisk } from "./read-disk.ts";

type Ports = {
  readonly syntax: Syntax;
  readonly maxFileBytes: number;
  /** git's copy of a content; undefined where it has none. */
  readonly fromGit: (tree: string, hash: string) => Promise<Buffer | undefined>;
};

export async function readContent(request: ParseRequest, ports: Ports): Promise<ParseReply> {
  const { tree, path, hash, inGit } = request;
  const disk = await readDisk(tree, path, ports.maxFileBytes);
  if (disk.state === "left-out") return { state: "unreadable", reason: disk.reason };
  if (disk.state === "read" && blobHash(disk.bytes, kindOfHash(hash)) === hash) return parsed(path, disk.bytes, ports);
  // Changed since it was listed; or stored by git in another form, such as other line ends.
  const stored = inGit ? await ports.fromGit(tree, hash) : undefined;
  return stored === undefined ? { state: "changed" } : parsed(path, stored, ports);
}

const decoder = new TextDecoder("utf-8");

function parsed(path: string, bytes: Buffer, { syntax }: Ports): ParseReply {
  if (bytes.includes(0)) return { state: "left-out", reason: "not a text file" };
  const text = decoder.decode(bytes);
  const facts = factsOf(path, text, syntax);
  return {
    state: "parsed",
    content: { facts, text, bytes: bytes.length, lines: countLines(text), words: wordsOf(facts, text) },
  };
}

/** A defect of a parser is a fact about the file: its text stays searchable. */
function factsOf(path: string, text: string, syntax: Syntax): FileFacts {
  try {
    return syntax.extract(path, text);
  } catch {
    const none = { symbols: [], imports: [], references: [], docs: [] };
    return { language: syntax.languageOf(path), ...none, isPartial: true, partialReason: "parser-failed" };
  }
}

function wordsOf({ symbols, docs }: FileFacts, text: string): ParsedContent["words"] {
  return {
    names: wordsOfCode(symbols.map(({ name }) => name).join(" ")),
    docs: wordsOfCode(docs.map((doc) => doc.text).join(" ")),
    body: wordsOfCode(text),
  };
}

function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
