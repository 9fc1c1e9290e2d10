/**
 * What a reader of Markdown sees: no tags, comments, scripts and styles of HTML, no images, and of a link its words. Code is kept
 * as it is, and every line keeps its number. Each character is looked at a bounded number of times. Pure.
 */
const target = /\([^()\s]{1,500}(?:\s"[^"\n]{0,200}")?\)/;
const parts = [
  /^ {0,3}(?<fence>```|~~~)/,
  /(?<tick>``?)/,
  /(?<comment><!--)/,
  /<(?<unseen>script|style|template|title)(?:\s[^<>]*)?>/,
  /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/,
  new RegExp(`!\\[[^\\[\\]\\n]{0,300}\\]${target.source}`),
  new RegExp(`\\[(?<label>[^\\[\\]\\n]{1,300})\\]${target.source}`),
  new RegExp(`\\]${target.source}`),
];
const opener = new RegExp(parts.map(({ source }) => source).join("|"), "gim");
const longestInline = 500;

export function visibleMarkdown(text: string): string {
  const seen: string[] = [];
  let at = 0;
  for (const { start, end } of unseenParts(text)) {
    seen.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, ""));
    at = end;
  }
  return seen.join("") + text.slice(at);
}

/** Code blocks left out: where a title is looked for. */
export function withoutFences(text: string): string {
  let seen = "";
  let [at, isCode] = [0, false];
  for (const line of text.split("\n")) {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line);
    if (!isCode && !isFence) seen += text.slice(at, at + line.length + 1);
    if (isFence) isCode = !isCode;
    at += line.length + 1;
  }
  return seen;
}

type Part = { readonly start: number; readonly end: number };

function* unseenParts(text: string): Generator<Part> {
  const scan = new RegExp(opener);
  for (let found = scan.exec(text); found !== null; found = scan.exec(text)) {
    const { fence, tick, comment, unseen, label } = found.groups!;
    const [start, inside] = [found.index, scan.lastIndex];
    let end = inside;
    if (fence !== undefined) end = endOfMatch(new RegExp(`^ {0,3}${fence}[^\\n]*`, "gm"), text, inside);
    else if (tick !== undefined) end = endOfInline(text, tick, inside);
    else if (comment !== undefined) end = endOfMatch(/-->/g, text, inside);
    else if (unseen !== undefined) end = endOfMatch(new RegExp(`</${unseen}\\s*>`, "gi"), text, inside);
    if (label !== undefined) {
      yield { start, end: start + 1 };
      yield { start: start + 1 + label.length, end };
    } else if (fence === undefined && tick === undefined) yield { start, end };
    scan.lastIndex = end;
  }
}

/** Without an end: all that follows. */
function endOfMatch(closer: RegExp, text: string, from: number): number {
  closer.lastIndex = from;
  return closer.test(text) ? closer.lastIndex : text.length;
}

/** Without an end in its line it is a character like others. */
function endOfInline(text: string, tick: string, from: number): number {
  const rest = text.slice(from, from + longestInline).split("\n", 1)[0]!;
  const length = rest.indexOf(tick);
  return length === -1 ? from : from + length + tick.length;
}
