/**
 * Names and paths that a document mentions: in code spans, code blocks, links, and plain text.
 *
 * An ordinary word such as "run" is a mention only where the text marks it as a name: `run`, run(), Cart.run. Pure.
 */
export type Mention = {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** A code span, a code block, or a form that only names have. */
  readonly isCode: boolean;
  /** The span is this name and nothing else. */
  readonly isAlone: boolean;
};
export type Mentions = { readonly names: readonly Mention[]; readonly paths: readonly Mention[] };

const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const path = /(?:\.{1,2}\/|\/)?[\p{L}\p{N}_@.~+-]+(?:\/[\p{L}\p{N}_@.~+-]+)*\/?/gu;
const span = /(`+)(?!`)(.+?)\1(?!`)/g;
const fence = /^\s*(?:```|~~~|----\s*$|\.\.\s+code)/;
const longestLine = 4_000;

export function readMentions(text: string): Mentions {
  const names: Mention[] = [];
  const paths: Mention[] = [];
  let isInBlock = false;
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.slice(0, longestLine);
    if (fence.test(line)) {
      isInBlock = !isInBlock && !/^\s*\.\.\s/.test(line);
      continue;
    }
    const spans = isInBlock ? [] : [...line.matchAll(span)].map(spanOf);
    for (const found of line.matchAll(name)) {
      const at = found.index;
      const around = spans.find(({ start, end }) => at >= start && at < end);
      const isCalled = line.startsWith("()", at + found[0].length);
      const isQualified = /[\w$](?:\.|::|#|->)$/.test(line.slice(0, at));
      names.push({
        text: found[0],
        line: index + 1,
        column: at + 1,
        isCode: isInBlock || around !== undefined || isCalled,
        isAlone: isCalled || (around !== undefined && (around.text === found[0] || isQualified)),
      });
    }
    for (const found of line.matchAll(path)) {
      const plain = found[0].replace(/[.]+$/, "");
      if (!/[/.]/.test(plain)) continue;
      const isCode = isInBlock || spans.some(({ start, end }) => found.index >= start && found.index < end);
      paths.push({ text: plain, line: index + 1, column: found.index + 1, isCode, isAlone: true });
    }
  }
  return { names, paths };
}

function spanOf({ 0: whole, 1: ticks, 2: inside = "", index }: RegExpMatchArray) {
  const start = index! + ticks!.length;
  return { start, end: index! + whole.length - ticks!.length, text: inside.trim().replace(/\(.*\)$/, "") };
}

/** Written as no ordinary word is: priceOf, price_of, Order2. */
export function looksLikeName(text: string): boolean {
  return /[\p{Ll}\p{N}]\p{Lu}|[_$\p{N}]/u.test(text) || /^\p{Lu}{2,}\p{Ll}/u.test(text);
}
