/** Text, Markdown, reStructuredText and RFCs: what they are called, when they were written, and their text in passages. Pure. */
import { decodeText } from "./decode-text.ts";
import type { ReadDocument, ReadRequest } from "./document-reader.ts";
import { markdownOfRst } from "./markdown-of-rst.ts";
import { splitPassages } from "./split-passages.ts";
import { visibleMarkdown, withoutFences } from "./visible-markdown.ts";

const rfcNumber = /^(?:Request for Comments:|RFC)\s*:?\s*(\d{1,5})\b/m;
const rfcOrigin =
  /^(?:Internet Engineering Task Force|Network Working Group|Internet Architecture Board|Independent Submission)/m;
const rfcFooter = /^\S[^\n]{0,70}\[Page \d+\]\s*$/;
const rfcHeader = /^RFC \d{1,5}\s{2,}\S[^\n]{0,60}\s{2,}(?:[A-Z][a-z]+ )?\d{4}\s*$/;
const months = "January February March April May June July August September October November December".split(" ");
/** As far as a title and a date are looked for. */
const headLength = 6_000;

export function readPlain({ bytes, type, encoding }: ReadRequest): ReadDocument {
  const { text, damaged, encoding: used } = decodeText(bytes, encoding);
  const head = text.slice(0, headLength);
  const isRfc = type === "text" && rfcNumber.test(head) && rfcOrigin.test(head);
  const isMarked = type === "markdown" || type === "rst";
  const marked = type === "rst" ? markdownOfRst(text) : text;
  const seen = isRfc ? withoutPageBreaks(text) : isMarked ? visibleMarkdown(marked) : text;
  return documentOf(seen, {
    title: isRfc ? rfcTitle(head) : firstHeading(marked.slice(0, headLength), isMarked),
    style: isRfc ? "numbered" : isMarked ? "markdown" : "none",
    publishedAt: isRfc ? rfcDate(head) : undefined,
    isRfc,
    damaged,
    encoding: used,
    links: [],
  });
}

type Known = Pick<ReadDocument, "title" | "publishedAt" | "isRfc" | "damaged" | "links"> & {
  readonly style: Parameters<typeof splitPassages>[1];
  readonly encoding?: string;
};

export function documentOf(text: string, { style, encoding, ...known }: Known): ReadDocument {
  const { damaged } = known;
  const notes =
    damaged === 0 ? [] : [`${damaged} characters are not valid ${encoding ?? "text"}; they are shown as \ufffd`];
  return { ...known, notes, passages: splitPassages(text, style), bytes: Buffer.byteLength(text) };
}

/** Of Markdown its heading of the first level, or one that stands first: a later one is that of a section. */
function firstHeading(head: string, isMarkdown: boolean): string | undefined {
  const lines = (isMarkdown ? visibleMarkdown(withoutFences(head)) : head)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const level1 = /<h1\b[^<>]*>\s*([^<>]*[^<>\s])/i.exec(head)?.[1];
  const underlined = lines.findIndex((line, index) => index > 0 && /^=+\s*$/.test(line));
  const found = isMarkdown
    ? (/^#\s+(\S.*?)\s*#*$/m.exec(lines.join("\n"))?.[1] ??
      lines[underlined - 1] ??
      level1 ??
      /^#{2,6}\s+(\S.*?)\s*#*$/.exec(lines[0] ?? "")?.[1])
    : lines[0];
  return found?.trim().slice(0, 200);
}

/** Old RFCs have no abstract. */
const rfcBody = /^(?:Abstract|Status of (?:this|This) Memo|Table of Contents|Preface|1\.?\s+\S.*)\s*$/m;

/** The lines between the block of authors and what follows the title. */
function rfcTitle(head: string): string {
  const number = rfcNumber.exec(head)![1]!;
  const before = head.split(rfcBody)[0]!;
  const lines = before.split("\n").map((line) => line.trimEnd());
  const last = lines.findLastIndex((line) => line !== "");
  const first = lines.slice(0, last + 1).findLastIndex((line) => line === "") + 1;
  const title = lines
    .slice(first, last + 1)
    .map((line) => line.trim())
    .join(" ");
  return `RFC ${number}: ${title}`.slice(0, 200);
}

function rfcDate(head: string): number | undefined {
  const [, month = "", year] = new RegExp(`\\b(${months.join("|")}) (\\d{4})\\b`).exec(head) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), months.indexOf(month));
}

/** A sentence over two pages is one sentence again. */
function withoutPageBreaks(text: string): string {
  const kept: string[] = [];
  let isBetweenPages = false;
  for (const line of text.split("\n")) {
    if (rfcHeader.test(line)) continue;
    if (rfcFooter.test(line)) {
      while (kept.at(-1)?.trim() === "") kept.pop();
      isBetweenPages = true;
    } else if (!isBetweenPages || line.trim() !== "") {
      if (isBetweenPages && /[.:!?]$/.test(kept.at(-1) ?? "")) kept.push("");
      isBetweenPages = false;
      kept.push(line);
    }
  }
  return kept.join("\n");
}
