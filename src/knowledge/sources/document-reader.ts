/** The port that reads documents: bytes in, passages out, in a thread of its own with limits of time and memory. */
import type { Passage } from "./split-passages.ts";

export type DocumentType = "markdown" | "rst" | "text" | "html" | "pdf";
export type ReadRequest = {
  readonly bytes: Uint8Array;
  readonly type: DocumentType;
  /** Path or address: for messages, and to resolve links. */
  readonly location: string;
  /** As the server says. */
  readonly encoding?: string | undefined;
};
export type ReadDocument = {
  readonly title?: string | undefined;
  readonly passages: readonly Passage[];
  /** Of its text. */
  readonly bytes: number;
  /** Milliseconds, where the document says when it was written. */
  readonly publishedAt?: number | undefined;
  readonly isRfc: boolean;
  /** Characters that could not be read. */
  readonly damaged: number;
  readonly notes: readonly string[];
  /** Absolute addresses that an HTML page leads to. */
  readonly links: readonly string[];
};
export type DocumentReader = {
  /** Refuses by `source.unreadable`, with the reason. */
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadDocument>;
  stop(): Promise<void>;
};

const types: Readonly<Record<string, DocumentType>> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  txt: "text",
  text: "text",
  rst: "rst",
  adoc: "text",
  html: "html",
  htm: "html",
  xhtml: "html",
  pdf: "pdf",
};

/** By its name; undefined for what is not read. */
export function typeOfName(name: string): DocumentType | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return ending === undefined
    ? /^(?:README|LICENSE|CHANGELOG|NOTICE)$/.test(name)
      ? "text"
      : undefined
    : types[ending];
}

const codeName =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|cs|c|h|cc|cpp|hpp|rb|php|swift|scala|sh|sql|json|ya?ml|toml)$|^(?:Makefile|Dockerfile)$/i;

/** By its name, with code and settings as text. */
export function typeWithCode(name: string): DocumentType | undefined {
  return typeOfName(name) ?? (codeName.test(name) ? "text" : undefined);
}

/** By what a server says it is. */
export function typeOfMedia(media: string): DocumentType | undefined {
  const plain = media.split(";")[0]!.trim().toLowerCase();
  if (plain === "text/html" || plain === "application/xhtml+xml") return "html";
  if (plain === "application/pdf") return "pdf";
  if (plain === "text/markdown") return "markdown";
  return plain === "text/plain" ? "text" : undefined;
}
