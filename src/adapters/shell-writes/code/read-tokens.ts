/** Code -> names, texts and signs. Comments, regular expressions and numbers are told apart so that no quote in them counts. */
import { type Language, notations } from "./language.ts";

/** A text in pieces: as written, or code whose value stands there. */
export type Piece = string | { readonly code: string };
export type Token =
  | { readonly kind: "text"; readonly pieces: readonly Piece[]; readonly isCommand: boolean }
  | { readonly kind: "name" | "sign" | "number" | "expression"; readonly text: string };

const mostTokens = 20_000;
const signs =
  /=>|->|::|===?|!==?|<=>|<=|>=|\+=|\.=|\|\|=?|&&|\?\?=?|\?\.|\.\.\.?|\*\*|:=|=~|!~|[-+*/%.,;:?!<>=()[\]{}|&^~@$\\]/y;

const names: Partial<Record<Language, RegExp>> = {};

/** Undefined for code with more tokens than can be followed. */
export function readTokens(code: string, language: Language): readonly Token[] | undefined {
  const notation = notations[language];
  const name = (names[language] ??= new RegExp(`[${notation.sigils}A-Za-z_]\\w*`, "y"));
  const tokens: Token[] = [];
  let open = 0;
  for (let at = 0; at < code.length;) {
    if (tokens.length > mostTokens) return undefined;
    const letter = code[at]!;
    const taken = (what: RegExp): string | undefined => {
      what.lastIndex = at;
      const found = what.exec(code)?.[0];
      if (found === undefined || found === "") return undefined;
      at += found.length;
      return found;
    };
    if (letter === "\n" && notation.isByLine && open === 0) tokens.push({ kind: "sign", text: "\n" });
    if (/\s/.test(letter)) at++;
    else if (taken(notation.comment) !== undefined) continue;
    else {
      const text = textAt(code, at, language) ?? quoteAt(code, at, language, tokens.at(-1));
      if (text !== undefined) {
        tokens.push(...text.tokens);
        at = text.end;
        continue;
      }
      const special = language === "perl" ? taken(/\$\^I|\$[_0&!]|@_/y) : undefined;
      const word = special ?? taken(name);
      if (word !== undefined) tokens.push({ kind: "name", text: word });
      else {
        const number = taken(/\d[\w.]*/y);
        if (number !== undefined) tokens.push({ kind: "number", text: number });
        else {
          const sign = taken(signs) ?? code[at++]!;
          if (sign === "(" || sign === "[") open++;
          if (sign === ")" || sign === "]") open = Math.max(0, open - 1);
          tokens.push({ kind: "sign", text: sign });
        }
      }
    }
  }
  return tokens;
}

type Found = { readonly tokens: readonly Token[]; readonly end: number };

const prefix = /(?:[rbfuRBFU]{1,2}(?=["']))?/y;

function textAt(code: string, start: number, language: Language): Found | undefined {
  const { tick, filled } = notations[language];
  prefix.lastIndex = start;
  const before = language === "python" ? (prefix.exec(code)?.[0] ?? "") : "";
  const at = start + before.length;
  const quote = code[at];
  if (language === "lua" && code.startsWith("[[", at)) {
    const end = code.indexOf("]]", at);
    return end === -1 ? undefined : { tokens: [plainText(code.slice(at + 2, end))], end: end + 2 };
  }
  if (quote !== '"' && quote !== "'" && !(quote === "`" && tick !== undefined)) return undefined;
  const long = language === "python" && code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const end = endOfText(code, at + long.length, long);
  const raw = code.slice(at + long.length, end);
  const isFilled =
    filled !== undefined &&
    (language === "python" ? /f/i.test(before) : language === "javascript" ? quote === "`" : quote !== "'");
  const isRaw = /r/i.test(before) || (quote === "'" && ["perl", "php", "ruby"].includes(language));
  const pieces = isFilled
    ? piecesOf(raw, filled, language)
    : [isRaw ? raw.replaceAll(/\\(['\\])/g, "$1") : unescaped(raw)];
  return { tokens: [{ kind: "text", pieces, isCommand: quote === "`" && tick === "command" }], end: end + long.length };
}

function endOfText(code: string, from: number, quote: string): number {
  for (let at = from; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code.startsWith(quote, at)) return at;
  }
  return code.length;
}

function plainText(text: string): Token {
  return { kind: "text", pieces: [text], isCommand: false };
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", 0: "\0" };
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_whole, byte?: string, point?: string, one: string = "") =>
      (byte ?? point) ? String.fromCharCode(Number.parseInt((byte ?? point)!, 16)) : (named[one] ?? one),
  );
}

function piecesOf(raw: string, filled: RegExp, language: Language): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of raw.matchAll(filled)) {
    pieces.push(unescaped(raw.slice(from, match.index)));
    const inside = match[1] ?? match[2] ?? "";
    const code = language === "python" ? inside.replace(/[!:][^'"]*$/, "") : inside;
    pieces.push({ code: ["perl", "php"].includes(language) ? `$${code}` : code });
    from = match.index + match[0].length;
  }
  return [...pieces, unescaped(raw.slice(from))];
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** `q(…)`, `qw(…)`, `%w[…]`, `s/…/…/`, `/…/`: the quotes of perl and ruby, and regular expressions. */
function quoteAt(code: string, at: number, language: Language, last: Token | undefined): Found | undefined {
  if (!notations[language].hasExpressions) return undefined;
  if (language !== "javascript") {
    const own = /(?:(?<![$@%&\w>])(q[qwxr]?|m|s|y|tr)(?=\s*[^\w\s,;=)]|\s+[^\w\s,;=)])|%([wWqQiIrx])(?=[^\w\s]))\s*/y;
    own.lastIndex = at;
    const found = own.exec(code);
    const isKey = found !== null && /^\s*=>/.test(code.slice(own.lastIndex));
    if (found !== null && !isKey && !(language === "ruby" && found[1] !== undefined)) {
      const kind = found[1] ?? `q${found[2]!.toLowerCase()}`;
      const first = delimited(code, own.lastIndex);
      const isTwo = ["s", "y", "tr"].includes(kind);
      const second = !isTwo
        ? first
        : delimited(code, isBracket(code[own.lastIndex]) ? skipSpace(code, first.end) : first.end - 1);
      const flags = /[a-z]*/y;
      flags.lastIndex = second.end;
      const end = ["m", "s", "y", "tr", "qr"].includes(kind) ? second.end + flags.exec(code)![0].length : second.end;
      if (kind === "qw") return { tokens: listOf(first.text), end };
      if (kind === "qx") return { tokens: [{ kind: "text", pieces: [first.text], isCommand: true }], end };
      if (kind === "q") return { tokens: [plainText(first.text)], end };
      if (kind === "qq")
        return {
          tokens: [
            { kind: "text", pieces: piecesOf(first.text, notations[language].filled!, language), isCommand: false },
          ],
          end,
        };
      // `s/x/…/e` runs its right side.
      const runs = kind === "s" && /e/.test(code.slice(second.end, end));
      return {
        tokens: runs ? [...(readTokens(second.text, language) ?? [])] : [{ kind: "expression", text: first.text }],
        end,
      };
    }
  }
  if (code[at] !== "/" || !mayBegin(last)) return undefined;
  const end = endOfExpression(code, at + 1);
  if (end === undefined) return undefined;
  return { tokens: [{ kind: "expression", text: code.slice(at, end) }], end };
}

function listOf(text: string): readonly Token[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const comma: Token = { kind: "sign", text: "," };
  const inside = words.flatMap((word, index) => (index === 0 ? [plainText(word)] : [comma, plainText(word)]));
  return [{ kind: "sign", text: "(" }, ...inside, { kind: "sign", text: ")" }];
}

function isBracket(letter: string | undefined): boolean {
  return letter !== undefined && letter in closing;
}

function skipSpace(code: string, at: number): number {
  return at + (/^\s*/.exec(code.slice(at, at + 100))?.[0].length ?? 0);
}

function delimited(code: string, at: number): { readonly text: string; readonly end: number } {
  const open = code[at] ?? "";
  const close = closing[open] ?? open;
  let depth = 1;
  for (let end = at + 1; end < code.length; end++) {
    if (code[end] === "\\") end++;
    else if (code[end] === close && --depth === 0) return { text: code.slice(at + 1, end), end: end + 1 };
    else if (code[end] === open && close !== open) depth++;
  }
  return { text: code.slice(at + 1), end: code.length };
}

/** A slash is a division behind a value. */
function mayBegin(last: Token | undefined): boolean {
  if (last === undefined || last.kind === "expression") return true;
  if (last.kind === "sign") return !/^[)\]}]$/.test(last.text);
  return (
    last.kind === "name" && /^(?:return|if|unless|and|or|not|split|grep|map|join|when|in|typeof|case)$/.test(last.text)
  );
}

function endOfExpression(code: string, from: number): number | undefined {
  let isClass = false;
  for (let at = from; at < code.length && code[at] !== "\n"; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "[") isClass = true;
    else if (code[at] === "]") isClass = false;
    else if (code[at] === "/" && !isClass)
      return at + 1 + (/^[a-z]*/.exec(code.slice(at + 1, at + 10))?.[0].length ?? 0);
  }
  return undefined;
}
