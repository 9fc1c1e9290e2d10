/** Why a text is not worth a parser's time: it is no source that a person wrote. */
import type { PartialReason, SyntaxLimits } from "../../knowledge/code-index/index.ts";

/** Of NUL characters a text has none; a look at the beginning is what git does too. */
const looked = 8_000;
const longestLine = 20_000;
const shortText = 20_000;
const widestAverage = 300;

export function whyNotParsed(text: string, { maxLength }: SyntaxLimits): PartialReason | undefined {
  if (text.length > maxLength) return "too-large";
  if (text.slice(0, looked).includes("\0")) return "binary";
  let lines = 1;
  for (let start = 0, end = 0; end !== -1; start = end + 1, lines += 1) {
    end = text.indexOf("\n", start);
    if ((end === -1 ? text.length : end) - start > longestLine) return "minified";
  }
  return text.length > shortText && text.length / lines > widestAverage ? "minified" : undefined;
}
