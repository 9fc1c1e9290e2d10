/** The sentences of a passage with their places. Headings, code and rulers are none. */
export type Sentence = { readonly start: number; readonly end: number; readonly text: string };

const abbreviations = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|al|Dr|Mr|Mrs|Ms|Prof|No|Nos|Fig|Sec|Vol|pp?|approx|[A-Z])\.$/;
const notProse = /^\s*(?:#{1,6}\s|```|~~~|[-=*_]{3,}\s*$|\|)/;
const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const fence = /^\s{0,3}(?:```|~~~)/;
const end = /[.!?]["'”’)\]*_`]*(?=\s|$)/g;
const longest = 1_000;

export function splitSentences(text: string): readonly Sentence[] {
  return blocksOf(text).flatMap((block) => sentencesIn(text, block));
}

type Block = { readonly start: number; readonly end: number };

/** Lines that belong together: until a blank line, the next item, or what is not prose. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let [start, isCode] = [0, false];
  let open: { start: number; end: number } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push(open);
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const next = start + line.length + 1;
    if (fence.test(line)) {
      close();
      isCode = !isCode;
    } else if (isCode || line.trim() === "" || notProse.test(line)) close();
    else {
      const [marker = ""] = listItem.exec(line) ?? [];
      if (marker !== "") close();
      open ??= { start: start + marker.length, end: start };
      open.end = start + line.length;
    }
    start = next;
  }
  close();
  return blocks;
}

function sentencesIn(text: string, { start, end: blockEnd }: Block): readonly Sentence[] {
  const block = text.slice(start, blockEnd);
  const found: Sentence[] = [];
  let from = 0;
  const add = (to: number): void => {
    const raw = block.slice(from, to);
    const lead = raw.length - raw.trimStart().length;
    const own = raw.trim().slice(0, longest);
    if (own !== "") found.push({ start: start + from + lead, end: start + from + lead + own.length, text: own });
    from = to;
  };
  for (const match of block.matchAll(end)) {
    const to = match.index + match[0].length;
    const after = block.slice(to).trimStart();
    if (abbreviations.test(block.slice(Math.max(from, to - 12), to)) && after !== "") continue;
    if (after !== "" && /^[\p{Ll}]/u.test(after)) continue;
    add(to);
  }
  add(block.length);
  return found;
}
