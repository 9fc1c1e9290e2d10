/**
 * A line of code as coloured pieces: comments, strings, numbers, keywords; and the part that was searched for.
 * One small set of rules for all languages: a line is shown, not understood.
 */
export type CodePiece = {
  readonly kind: "plain" | "comment" | "string" | "number" | "keyword";
  readonly text: string;
  readonly isMatch: boolean;
};
/** From and to, in characters of the line; the end is not included. */
export type Span = readonly [number, number];

const keywords = new Set(
  (
    "abstract and as async await break case catch class const continue def default defer del do elif else enum except export " +
    "extends extern false final finally fn for from func function go if impl implements import in instanceof interface is " +
    "lambda let loop match mod module mut namespace new nil none not null of or package pass private protected pub public " +
    "raise readonly return self static struct super switch this throw trait true try type typeof undefined union unsafe use " +
    "var void where while with yield None True False"
  ).split(" "),
);
const rules =
  /(?<comment>\/\/.*|\/\*[^]*?(?:\*\/|$)|^\s*\*(?:\s.*|\/|$))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\d_.]*(?:[eE][+-]?\d+)?[a-zA-Z]?\b)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/gu;
const hashComments = /\.(py|rb|sh|bash|ya?ml|toml|pl|r|mk)$|(^|\/)(Makefile|Dockerfile)$/i;

export function highlightCode(line: string, path: string, matches: readonly Span[] = []): readonly CodePiece[] {
  return cutAt(coloured(line, hashComments.test(path)), matches);
}

/** Where words occur, without regard to case. */
export function spansOfWords(line: string, words: string): readonly Span[] {
  const lower = line.toLowerCase();
  if (lower.length !== line.length) return []; // a letter that changes its length: the places would be wrong
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => {
      const spans: Span[] = [];
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
        spans.push([at, at + word.length]);
      return spans;
    });
}

function coloured(line: string, hasHashComments: boolean): readonly Omit<CodePiece, "isMatch">[] {
  const hash = hasHashComments ? /(^|\s)#/.exec(line) : null;
  const code = hash === null ? line : line.slice(0, hash.index);
  const pieces: Omit<CodePiece, "isMatch">[] = [];
  let done = 0;
  for (const { index, 0: text, groups } of code.matchAll(rules)) {
    const { comment, string, number, word } = groups!;
    const kind =
      comment !== undefined ? "comment" : string !== undefined ? "string" : number !== undefined ? "number" : "keyword";
    if (kind === "keyword" && !keywords.has(word!)) continue;
    if (index > done) pieces.push({ kind: "plain", text: code.slice(done, index) });
    pieces.push({ kind, text });
    done = index + text.length;
  }
  if (done < code.length) pieces.push({ kind: "plain", text: code.slice(done) });
  if (hash !== null) pieces.push({ kind: "comment", text: line.slice(hash.index) });
  return pieces;
}

function cutAt(pieces: readonly Omit<CodePiece, "isMatch">[], matches: readonly Span[]): readonly CodePiece[] {
  let start = 0;
  return pieces.flatMap(({ kind, text }) => {
    const end = start + text.length;
    const from = start;
    start = end;
    const edges = matches.flat().filter((edge) => edge > from && edge < end);
    const cuts = [...new Set([from, ...edges, end])].toSorted((a, b) => a - b);
    return cuts.slice(0, -1).map((cut, place) => ({
      kind,
      text: text.slice(cut - from, cuts[place + 1]! - from),
      isMatch: matches.some(([first, last]) => first <= cut && cut < last),
    }));
  });
}
