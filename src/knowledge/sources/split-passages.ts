/**
 * A text in passages: what a search finds and an answer cites.
 *
 *   text -> headings (outside of code) begin a passage; long sections part at blank lines, then at line ends
 *
 * Invariant: the passages, put together, are the text.
 */
export type Passage = {
  readonly heading: string;
  /** In characters. */
  readonly start: number;
  /** From 1. */
  readonly line: number;
  readonly text: string;
};
export type HeadingStyle = "markdown" | "numbered" | "none";

const usualLength = 1_000;
const mostLength = 2_000;
const fence = /^\s{0,3}(?:```|~~~)/;
const markdownHeading = /^#{1,6}\s+(\S.*?)\s*#*\s*$/;
/** As RFCs have them: "4.2.1.  Requests", "Appendix A.  Examples". */
const numberedHeading =
  /^(?:\d{1,2}(?:\.\d{1,3})*\.?|Appendix [A-Z]\.?|[A-Z]\.\d{1,2}(?:\.\d{1,3})*\.?)\s{1,4}[A-Z"][^.]{1,80}$/;

export function splitPassages(text: string, style: HeadingStyle): readonly Passage[] {
  const passages: Passage[] = [];
  let [start, line, heading, isCode] = [0, 1, "", false];
  let [from, fromLine] = [0, 1];

  function cut(to: number, nextLine: number): void {
    if (to > from) passages.push({ heading, start: from, line: fromLine, text: text.slice(from, to) });
    [from, fromLine] = [to, nextLine];
  }

  while (start < text.length) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const content = text.slice(start, lineEnd === -1 ? end : lineEnd);
    if (style === "markdown" && fence.test(content)) isCode = !isCode;
    const found = isCode ? undefined : headingIn(content, style);
    if (found !== undefined) {
      cut(start, line);
      heading = found;
    }
    const length = end - from;
    const isBlank = content.trim() === "";
    while (end - from > mostLength && end - start > mostLength) cut(from + goodPlace(text, from), line);
    start = end;
    line++;
    if ((isBlank && !isCode && length >= usualLength) || length >= mostLength) cut(start, line);
  }
  cut(text.length, line);
  return passages;
}

function headingIn(line: string, style: HeadingStyle): string | undefined {
  if (style === "markdown") return markdownHeading.exec(line)?.[1];
  if (style === "numbered" && numberedHeading.test(line)) return line.trim();
  return undefined;
}

/** In a line that is too long: after a sentence, a word, or anywhere but in the middle of a pair. */
function goodPlace(text: string, from: number): number {
  const part = text.slice(from, from + mostLength);
  const sentence = part.lastIndexOf(". ");
  if (sentence > usualLength) return sentence + 2;
  const blank = part.lastIndexOf(" ");
  if (blank > usualLength) return blank + 1;
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}
